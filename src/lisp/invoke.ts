// Calls values: functions, and keywords, maps, sets and vectors, which look up their argument.
import { counted } from '../base/counted.ts';
import { arityError, typeError } from './exception.ts';
import { elementAt } from './host.ts';
import { burn, enter, leave } from './machine.ts';
import { lookup, lookupExact } from './map.ts';
import { aKind, isKeyword, isMap, isSet, isSymbol, isVector, type Machine, type Value, type Vector } from './value.ts';

/** True for every value that may stand in place of a function. */
export function isCallable(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value.kind !== 'regex' && value.kind !== 'reduced';
}

export function invoke1(m: Machine, f: Value, a: Value): Value {
  if (typeof f === 'object' && f !== null && f.kind === 'fn') return f.code.call1(m, f, a);
  return lookUp(m, f, a, undefined);
}

export function invoke2(m: Machine, f: Value, a: Value, b: Value): Value {
  if (typeof f === 'object' && f !== null && f.kind === 'fn') return f.code.call2(m, f, a, b);
  return lookUp(m, f, a, b);
}

export function invoke(m: Machine, f: Value, args: Value[]): Value {
  if (typeof f === 'object' && f !== null && f.kind === 'fn') return f.code.apply(m, f, args);
  const [a, b] = args;
  if (isCallable(f) && (a === undefined || args.length > 2)) {
    throw arityError(
      `${aKind(f)} takes a key and a default when it is called, not ${counted(args.length, 'argument')}`,
    );
  }
  return lookUp(m, f, a ?? null, b);
}

function lookUp(m: Machine, f: Value, a: Value, otherwise: Value | undefined): Value {
  if (isKeyword(f) || isSymbol(f)) return orElse(getIn(m, a, f), otherwise ?? null);
  if (isMap(f)) return orElse(lookup(m, f, a), otherwise ?? null);
  if (isSet(f) && otherwise === undefined) return lookupExact(m, f.map, a) ?? null;
  if (isVector(f) && otherwise === undefined) return indexed(f, a);
  if (isVector(f) || isSet(f)) throw arityError(`a ${f.kind} takes one argument when it is called`);
  throw typeError(
    `${aKind(f)} cannot be called`,
    'write [a b c] for a list of values: parentheses call their first element',
  );
}

/** The found value, even if it is nil; else the default. */
export function orElse(found: Value | undefined, otherwise: Value): Value {
  return found === undefined ? otherwise : found;
}

function indexed(v: Vector, index: Value): Value {
  if (typeof index !== 'number') throw typeError(`a vector takes an index when it is called, not ${aKind(index)}`);
  if (!Number.isInteger(index)) throw typeError('a vector takes a whole number when it is called');
  if (index < 0 || index >= v.size) throw typeError(`index ${index} is outside a vector of ${v.size}`);
  return elementAt(v, index);
}

/** The result of `get`; undefined when nothing is found, or when the value cannot hold anything. */
export function getIn(m: Machine, from: Value, key: Value): Value | undefined {
  if (isMap(from)) return lookup(m, from, key);
  if (typeof from === 'string') return typeof key === 'number' ? characterAt(m, from, Math.trunc(key)) : undefined;
  if (typeof from !== 'object' || from === null) return undefined;
  switch (from.kind) {
    case 'set':
      return lookupExact(m, from.map, key);
    case 'vector': {
      if (typeof key !== 'number' || !Number.isInteger(key)) return undefined;
      return key >= 0 && key < from.size ? elementAt(from, key) : undefined;
    }
    default:
      return undefined;
  }
}

const SURROGATE = /[\ud800-\udfff]/;

/** The code point at an index, counted in code points. */
export function characterAt(m: Machine, text: string, index: number): string | undefined {
  if (index < 0) return undefined;
  burn(m, text.length >> 6);
  if (!SURROGATE.test(text)) return text[index];
  let at = 0;
  for (const character of text) {
    if (at === index) {
      burn(m, at >> 3);
      return character;
    }
    at += 1;
  }
  burn(m, at >> 3);
  return undefined;
}

/** Calls a function for one element of a builtin: burns fuel, and keeps the builtin's position for its own errors. */
export function each1(m: Machine, f: Value, a: Value): Value {
  burn(m, 1);
  const { at } = m;
  enter(m);
  const result = invoke1(m, f, a);
  leave(m);
  m.at = at;
  return result;
}

export function each2(m: Machine, f: Value, a: Value, b: Value): Value {
  burn(m, 1);
  const { at } = m;
  enter(m);
  const result = invoke2(m, f, a, b);
  leave(m);
  m.at = at;
  return result;
}

export function eachN(m: Machine, f: Value, args: Value[]): Value {
  burn(m, 1 + (args.length >> 2));
  const { at } = m;
  enter(m);
  const result = invoke(m, f, args);
  leave(m);
  m.at = at;
  return result;
}
