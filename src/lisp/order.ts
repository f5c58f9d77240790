// Compares values for sorting.

import { typeError } from './exception.ts';
import { elementAt } from './host.ts';
import { burn, enter, leave } from './machine.ts';
import { aKind, type Fn, type Machine, type Value } from './value.ts';

/** Negative, zero or positive; nil comes first. Values of different kinds are a type error. */
export function compare(m: Machine, a: Value, b: Value): number {
  burn(m, 1);
  if (a === null) return b === null ? 0 : -1;
  if (b === null) return 1;
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') {
    return compareText(m, a, b);
  }
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (typeof a === 'object' && typeof b === 'object') {
    if (a.kind === 'keyword' && b.kind === 'keyword') return compareText(m, a.name, b.name);
    if (a.kind === 'symbol' && b.kind === 'symbol') return compareText(m, a.name, b.name);
    if (a.kind === 'vector' && b.kind === 'vector') {
      if (a.size !== b.size) return a.size < b.size ? -1 : 1;
      enter(m);
      for (let i = 0; i < a.size; i++) {
        const compared = compare(m, elementAt(a, i), elementAt(b, i));
        if (compared !== 0) {
          leave(m);
          return compared;
        }
      }
      leave(m);
      return 0;
    }
  }
  throw typeError(`cannot compare ${aKind(a)} with ${aKind(b)}`);
}

/** Compares as Java does: by the first different character, else by length. */
function compareText(m: Machine, a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  burn(m, shared >> 4);
  if (a === b) return 0;
  for (let i = 0; i < shared; i++) {
    const difference = a.charCodeAt(i) - b.charCodeAt(i);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Orders by a function that returns a number, or true when its first argument comes first. */
export function orderWith(m: Machine, order: Fn, a: Value, b: Value): number {
  burn(m, 2);
  const answer = order.code.call2(m, order, a, b);
  if (typeof answer === 'number') return Number.isNaN(answer) ? 0 : answer;
  if (answer !== null && answer !== false) return -1;
  const reverse = order.code.call2(m, order, b, a);
  return reverse !== null && reverse !== false ? 1 : 0;
}
