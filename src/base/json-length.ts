// Counts the characters of a value as JSON. Shared parts count each time, and counting stops at a bound.
import { isJsonObject, type Json } from './json.ts';

/** At least the characters of `JSON.stringify` without escapes; undefined when there are more than `most`. */
export function jsonLength(value: Json, most: number): number | undefined {
  const left = walk(value, most);
  return left < 0 ? undefined : most - left;
}

/** The rest of the bound after the value; negative once the bound is exceeded. */
function walk(value: Json, bound: number): number {
  if (typeof value === 'string') return bound - value.length - 2;
  if (typeof value !== 'object' || value === null) return bound - String(value).length;
  if (!isJsonObject(value)) {
    let left = bound - Math.max(2, value.length + 1);
    for (let i = 0; i < value.length && left >= 0; i++) left = walk(value[i] ?? null, left);
    return left;
  }
  const keys = Object.keys(value);
  let left = bound - Math.max(2, keys.length + 1);
  for (let i = 0; i < keys.length && left >= 0; i++) {
    const key = keys[i] ?? '';
    left = walk(value[key] ?? null, left - key.length - 3);
  }
  return left;
}
