// The elements of any value as an array, for all builtins over sequences.

import { typeError } from './exception.ts';
import { elements } from './host.ts';
import { handle } from './machine.ts';
import { mapEntries, setItems } from './map.ts';
import { aKind, type Machine, type Value } from './value.ts';

const NONE: readonly Value[] = [];

/** Undefined for values without elements, such as numbers and keywords. */
export function itemsOf(m: Machine, value: Value): readonly Value[] | undefined {
  if (value === null) return NONE;
  if (typeof value === 'string') return characters(m, value);
  if (typeof value !== 'object') return undefined;
  switch (value.kind) {
    case 'vector':
      return elements(m, value);
    case 'map':
      return mapEntries(m, value);
    case 'set':
      return setItems(m, value);
    default:
      return undefined;
  }
}

/** The elements in an array that must not be changed. @throws LispException LISP_TYPE for values without elements */
export function seq(m: Machine, value: Value, who: string): readonly Value[] {
  const items = itemsOf(m, value);
  if (items === undefined) throw typeError(`${who} needs a collection, not ${aKind(value)}`);
  return items;
}

/** The code points, each as a string. */
export function characters(m: Machine, text: string): string[] {
  handle(m, text.length);
  return [...text];
}
