// if, and, or, case.
import type { Node } from '../analyze/node.ts';
import { keyOf } from '../key.ts';
import { typeTrouble } from '../trouble.ts';
import type { Key, Value } from '../value.ts';
import type { Code, Compile } from './code.ts';

export function compileIf(node: Node & { kind: 'if' }, compile: Compile): Code {
  if (node.else.kind === 'if') return compileChain(node, compile);
  const test = compile(node.test);
  const then = compile(node.then);
  const otherwise = compile(node.else);
  return (frame, m) => {
    const answer = test(frame, m);
    return answer !== null && answer !== false ? then(frame, m) : otherwise(frame, m);
  };
}

/** `cond` and its like: one loop, however many branches. */
function compileChain(node: Node & { kind: 'if' }, compile: Compile): Code {
  const branches: { readonly test: Code; readonly result: Code }[] = [];
  let last: Node = node;
  while (last.kind === 'if') {
    branches.push({ test: compile(last.test), result: compile(last.then) });
    last = last.else;
  }
  const otherwise = compile(last);
  return (frame, m) => {
    for (const { test, result } of branches) {
      const answer = test(frame, m);
      if (answer !== null && answer !== false) return result(frame, m);
    }
    return otherwise(frame, m);
  };
}

/** Stops at the first part whose truth is not `wanted`. */
function compileParts(parts: readonly Node[], compile: Compile, wanted: boolean): Code {
  const codes = parts.map(compile);
  return (frame, m) => {
    let value: Value = null;
    for (const code of codes) {
      value = code(frame, m);
      if ((value !== null && value !== false) !== wanted) return value;
    }
    return value;
  };
}

export function compileAnd(parts: readonly Node[], compile: Compile): Code {
  return compileParts(parts, compile, true);
}

export function compileOr(parts: readonly Node[], compile: Compile): Code {
  return compileParts(parts, compile, false);
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
