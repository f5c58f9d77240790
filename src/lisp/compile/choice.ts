// if, and, or, case.
import type { Node } from '../analyze/node.ts';
import { keyOf } from '../key.ts';
import { typeTrouble } from '../trouble.ts';
import type { Key } from '../value.ts';
import type { Code, Compile } from './code.ts';

export function compileIf(node: Node & { kind: 'if' }, compile: Compile): Code {
  const test = compile(node.test);
  const then = compile(node.then);
  const otherwise = compile(node.else);
  return (frame, m) => {
    const answer = test(frame, m);
    return answer !== null && answer !== false ? then(frame, m) : otherwise(frame, m);
  };
}

export function compileAnd(parts: readonly Node[], compile: Compile): Code {
  return parts.map(compile).reduceRight((rest, part) => (frame, m) => {
    const value = part(frame, m);
    return value !== null && value !== false ? rest(frame, m) : value;
  });
}

export function compileOr(parts: readonly Node[], compile: Compile): Code {
  return parts.map(compile).reduceRight((rest, part) => (frame, m) => {
    const value = part(frame, m);
    return value !== null && value !== false ? value : rest(frame, m);
  });
}

export function compileCase(node: Node & { kind: 'case' }, compile: Compile): Code {
  const subject = compile(node.subject);
  const table = new Map<Key, Code>([...node.table].map(([key, result]) => [key, compile(result)]));
  const otherwise = node.otherwise === undefined ? unmatched(node.at) : compile(node.otherwise);
  return (frame, m) => (table.get(keyOf(m, subject(frame, m))) ?? otherwise)(frame, m);
}

export function unmatched(at: number): Code {
  return (_, m) => {
    m.at = at;
    throw typeTrouble('no clause matches', 'add a last clause for all other values');
  };
}
