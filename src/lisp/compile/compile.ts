// Compiles nodes to closures, once per program.
import type { Node } from '../analyze/node.ts';
import { exception, typeError } from '../exception.ts';
import { elementAt } from '../host.ts';
import { getIn } from '../invoke.ts';
import { keyOf } from '../key.ts';
import { allocate, burn } from '../machine.ts';
import { mapBuilder } from '../map.ts';
import { nth } from '../nth.ts';
import { keywordArguments } from '../options.ts';
import { seq } from '../seq.ts';
import { textOf } from '../text-of.ts';
import { isVector, type Key, symbol, tailOf, type Value, vector } from '../value.ts';
import { compileCall, compileInvoke } from './call.ts';
import type { Code, Compile } from './code.ts';
import { compileFn, compileLetfn } from './function.ts';
import { compileFor, compileLet, compileLoop, compileRecur } from './loop.ts';
import { surchargeOf, withSurcharge } from './surcharge.ts';

export function compileNode(node: Node): Code {
  return withSurcharge(surchargeOf(node), compileKind(node));
}

function compileKind(node: Node): Code {
  switch (node.kind) {
    case 'const': {
      const { value } = node;
      return () => value;
    }
    case 'local': {
      const { slot } = node;
      return (frame) => frame[slot] ?? null;
    }
    case 'global':
      return global(node.slot, node.name, node.at);
    case 'data': {
      const { slot } = node;
      return (_, m) => m.bindings[slot] ?? null;
    }
    case 'builtin': {
      const { fn } = node.builtin;
      return () => fn;
    }
    case 'do':
      return inOrder(node.body.map(compileNode));
    case 'if':
      return compileIf(node, compileNode);
    case 'and':
      return compileAnd(node.parts, compileNode);
    case 'or':
      return compileOr(node.parts, compileNode);
    case 'case':
      return compileCase(node, compileNode);
    case 'unmatched':
      return unmatched(node.at);
    case 'let':
      return compileLet(node, compileNode);
    case 'loop':
      return compileLoop(node, compileNode);
    case 'recur':
      return compileRecur(node, compileNode);
    case 'for':
      return compileFor(node, compileNode);
    case 'fn':
      return compileFn(node, compileNode);
    case 'letfn':
      return compileLetfn(node, compileNode);
    case 'invoke':
      return compileInvoke(node, compileNode);
    case 'call':
      return compileCall(node, compileNode);
    case 'vector':
    case 'set':
    case 'map':
      return compileLiteral(node, compileNode);
    case 'def': {
      const { slot, name } = node;
      const value = compileNode(node.value);
      return (frame, m) => {
        m.globals[slot] = value(frame, m);
        return symbol(`#'${name}`);
      };
    }
    case 'fail': {
      const message = compileNode(node.message);
      return (frame, m) => {
        const text = message(frame, m);
        m.at = node.at;
        throw exception('LISP_FAILED', textOf(m, text));
      };
    }
    case 'element':
      return compileElement(node, compileNode);
    case 'tail':
      return compileTail(node, compileNode);
    case 'options':
      return compileOptions(node, compileNode);
    case 'lookup':
      return compileLookup(node, compileNode);
  }
}

function inOrder(body: readonly Code[]): Code {
  const last = body.length - 1;
  return (frame, m) => {
    for (let i = 0; i < last; i++) body[i]?.(frame, m);
    return body[last]?.(frame, m) ?? null;
  };
}

function global(slot: number, name: string, at: number): Code {
  return (_, m) => {
    const value = m.globals[slot];
    if (value === undefined) throw exception('LISP_UNBOUND', `"${name}" has no value yet`, 'its def has not run', at);
    return value;
  };
}

function compileIf(node: Node & { kind: 'if' }, compile: Compile): Code {
  if (node.else.kind === 'if') return compileChain(node, compile);
  const test = compile(node.test);
  const then = compile(node.then);
  const otherwise = compile(node.else);
  return (frame, m) => {
    const answer = test(frame, m);
    return answer !== null && answer !== false ? then(frame, m) : otherwise(frame, m);
  };
}

/** Compiles `cond` and similar chains into one loop. */
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

/** Stops at the first part whose truth differs from `wanted`. */
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

function compileAnd(parts: readonly Node[], compile: Compile): Code {
  return compileParts(parts, compile, true);
}

function compileOr(parts: readonly Node[], compile: Compile): Code {
  return compileParts(parts, compile, false);
}

function compileCase(node: Node & { kind: 'case' }, compile: Compile): Code {
  const subject = compile(node.subject);
  const table = new Map<Key, Code>([...node.table].map(([key, result]) => [key, compile(result)]));
  const otherwise = node.otherwise === undefined ? unmatched(node.at) : compile(node.otherwise);
  return (frame, m) => (table.get(keyOf(m, subject(frame, m))) ?? otherwise)(frame, m);
}

function unmatched(at: number): Code {
  return (_, m) => {
    m.at = at;
    throw typeError('no clause matches', 'add a last clause for all other values');
  };
}

function compileLiteral(node: Node & { kind: 'vector' | 'set' | 'map' }, compile: Compile): Code {
  if (node.kind === 'vector') return compileVector(node.items, compile);
  const keys = (node.kind === 'map' ? node.keys : node.items).map(compile);
  const vals = node.kind === 'map' ? node.vals.map(compile) : undefined;
  const { at } = node;
  return (frame, m) => {
    const map = mapBuilder(m);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]?.(frame, m) ?? null;
      const value = vals === undefined ? key : (vals[i]?.(frame, m) ?? null);
      m.at = at;
      if (map.get(key) !== undefined)
        throw typeError(vals === undefined ? 'the set repeats an element' : 'the map repeats a key');
      map.add(key, value);
    }
    return vals === undefined ? { kind: 'set', map: map.done() } : map.done();
  };
}

function compileVector(parts: readonly Node[], compile: Compile): Code {
  const constants = parts.flatMap((item) => (item.kind === 'const' ? [item.value] : []));
  if (constants.length === parts.length) {
    return () => vector(constants);
  }
  const items = parts.map(compile);
  return (frame, m) => {
    const size = items.length;
    burn(m, 1);
    allocate(m, size);
    const own = new Array<Value>(size);
    for (let i = 0; i < size; i++) own[i] = items[i]?.(frame, m) ?? null;
    return vector(own);
  };
}

/** One element by index. With `&`, the pattern accepts any collection; without it, only ordered ones. */
function compileElement(node: Node & { kind: 'element' }, compile: Compile): Code {
  const of = compile(node.of);
  const { index, walked, at } = node;
  return (frame, m) => {
    const whole = of(frame, m);
    if (isVector(whole)) return elementAt(whole, index);
    m.at = at;
    return walked ? (seq(m, whole, 'a vector pattern')[index] ?? null) : nth(m, whole, index, null);
  };
}

function compileTail(node: Node & { kind: 'tail' }, compile: Compile): Code {
  const of = compile(node.of);
  const { from, at } = node;
  return (frame, m) => {
    m.at = at;
    const whole = of(frame, m);
    const rest = tailOf(isVector(whole) ? whole : vector([...seq(m, whole, 'a vector pattern')]), from);
    return rest.size === 0 ? null : rest;
  };
}

function compileOptions(node: Node & { kind: 'options' }, compile: Compile): Code {
  const of = compile(node.of);
  return (frame, m) => {
    m.at = node.at;
    return keywordArguments(m, of(frame, m));
  };
}

function compileLookup(node: Node & { kind: 'lookup' }, compile: Compile): Code {
  const of = compile(node.of);
  const key = compile(node.key);
  const otherwise: Code = node.otherwise === undefined ? () => null : compile(node.otherwise);
  return (frame, m) => {
    const found = getIn(m, of(frame, m), key(frame, m));
    return found === undefined ? otherwise(frame, m) : found;
  };
}
