// Searches text in linear time.
import { burn } from './machine.ts';
import type { Machine } from './value.ts';

/** The host compares short patterns at each position. Longer patterns would cost n × m. */
const SHORT = 16;

/** The first position at or after `from`; -1 when not found. Costs the distance. */
export function indexIn(m: Machine, text: string, part: string, from = 0): number {
  const start = Math.min(Math.max(0, from), text.length);
  const found = part.length <= SHORT ? text.indexOf(part, start) : firstLong(m, text, part, start);
  pay(m, (found < 0 ? text.length : found + part.length) - start, part);
  return found;
}

/** The last position at or before `from`; -1 when not found. */
export function lastIndexIn(m: Machine, text: string, part: string, from = Number.POSITIVE_INFINITY): number {
  const start = Math.min(from, text.length - part.length);
  if (start < 0) return -1;
  const found = part.length <= SHORT ? text.lastIndexOf(part, start) : lastLong(m, text, part, start);
  pay(m, start + part.length - Math.max(0, found), part);
  return found;
}

/** All non-overlapping positions in order. An empty pattern is before each character and at the end. */
export function placesIn(m: Machine, text: string, part: string): number[] {
  const places: number[] = [];
  const table = part.length <= SHORT ? undefined : prefixes(m, part, 0, 1);
  const find = (from: number): number =>
    table === undefined ? text.indexOf(part, from) : search(text, part, from, table, 0, 1);
  pay(m, text.length, part);
  for (let place = find(0); place >= 0; place = find(place + Math.max(1, part.length))) {
    burn(m, 1);
    places.push(place);
    if (place >= text.length) break;
  }
  return places;
}

function pay(m: Machine, characters: number, part: string): void {
  burn(m, Math.max(0, characters) >> (part.length <= SHORT ? 5 : 4));
}

function firstLong(m: Machine, text: string, part: string, from: number): number {
  return search(text, part, from, prefixes(m, part, 0, 1), 0, 1);
}

/** The same search backwards. */
function lastLong(m: Machine, text: string, part: string, from: number): number {
  const last = text.length - part.length;
  const found = search(text, part, last - from, prefixes(m, part, part.length - 1, -1), text.length - 1, -1);
  return found < 0 ? -1 : last - found;
}

/** The failure function of Knuth, Morris and Pratt (1977), from `begin` in steps of 1 or -1. */
function prefixes(m: Machine, part: string, begin: number, step: 1 | -1): Int32Array {
  burn(m, 2 + (part.length >> 3));
  const table = new Int32Array(part.length);
  let fits = 0;
  for (let i = 1; i < part.length; i++) {
    const code = part.charCodeAt(begin + step * i);
    while (fits > 0 && code !== part.charCodeAt(begin + step * fits)) fits = table[fits - 1] ?? 0;
    if (code === part.charCodeAt(begin + step * fits)) fits += 1;
    table[i] = fits;
  }
  return table;
}

function search(text: string, part: string, from: number, table: Int32Array, begin: number, step: 1 | -1): number {
  const partBegin = step === 1 ? 0 : part.length - 1;
  let fits = 0;
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(begin + step * i);
    while (fits > 0 && code !== part.charCodeAt(partBegin + step * fits)) fits = table[fits - 1] ?? 0;
    if (code === part.charCodeAt(partBegin + step * fits)) fits += 1;
    if (fits === part.length) return i - part.length + 1;
  }
  return -1;
}
