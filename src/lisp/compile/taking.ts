// How patterns reach into what they take apart.
import type { Node } from '../analyze/node.ts';
import { elementAt } from '../host.ts';
import { getIn } from '../invoke.ts';
import { nth } from '../nth.ts';
import { keywordArguments } from '../options.ts';
import { seq } from '../seq.ts';
import { isVector, tailOf, vector } from '../value.ts';
import type { Code, Compile } from './code.ts';

/** One element by index; with `&` in the pattern any collection is walked, without it only what has an order. */
export function compileElement(node: Node & { kind: 'element' }, compile: Compile): Code {
  const of = compile(node.of);
  const { index, walked, at } = node;
  return (frame, m) => {
    const whole = of(frame, m);
    if (isVector(whole)) return elementAt(whole, index);
    m.at = at;
    return walked ? (seq(m, whole, 'a vector pattern')[index] ?? null) : nth(m, whole, index, null);
  };
}

export function compileTail(node: Node & { kind: 'tail' }, compile: Compile): Code {
  const of = compile(node.of);
  const { from, at } = node;
  return (frame, m) => {
    m.at = at;
    const whole = of(frame, m);
    const rest = tailOf(isVector(whole) ? whole : vector([...seq(m, whole, 'a vector pattern')]), from);
    return rest.size === 0 ? null : rest;
  };
}

export function compileOptions(node: Node & { kind: 'options' }, compile: Compile): Code {
  const of = compile(node.of);
  return (frame, m) => {
    m.at = node.at;
    return keywordArguments(m, of(frame, m));
  };
}

export function compileLookup(node: Node & { kind: 'lookup' }, compile: Compile): Code {
  const of = compile(node.of);
  const key = compile(node.key);
  const otherwise: Code = node.otherwise === undefined ? () => null : compile(node.otherwise);
  return (frame, m) => {
    const found = getIn(m, of(frame, m), key(frame, m));
    return found === undefined ? otherwise(frame, m) : found;
  };
}
