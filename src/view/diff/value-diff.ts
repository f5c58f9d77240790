// Compares two values path by path.
import { defined, isJsonArray, isJsonObject, type Json } from '../../base/json.ts';

export interface ValueDifference {
  /** `winner`, `items.0.price`; empty for the value as a whole. */
  readonly path: string;
  /** Absent: this side has no value. */
  readonly left?: Json;
  readonly right?: Json;
}

export function valueDiff(left: Json | undefined, right: Json | undefined, path = ''): readonly ValueDifference[] {
  if (isJsonObject(left) && isJsonObject(right)) {
    return keysOf(left, right).flatMap((key) => valueDiff(left[key], right[key], below(path, key)));
  }
  if (isJsonArray(left) && isJsonArray(right)) {
    const length = Math.max(left.length, right.length);
    return Array.from({ length }, (_, at) => at).flatMap((at) =>
      valueDiff(left[at], right[at], below(path, String(at))),
    );
  }
  if (left === right) return [];
  return [{ path, ...defined({ left, right }) }];
}

function keysOf(left: object, right: object): readonly string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].sort();
}

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
