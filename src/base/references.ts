// References: places in a planner's brief where a large value was left out, and where the run stores that value.
import type { Digest } from './digest.ts';
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject } from './json.ts';

export interface Reference {
  /** The path to the place, outermost key first. */
  readonly at: readonly string[];
  /** The digest of the blob that holds the value. */
  readonly digest: Digest;
  /** The size of the blob's JSON. */
  readonly bytes: number;
  /** The path inside the blob; absent: the whole blob. `*` stands for every item. */
  readonly path?: readonly string[];
}

/** A value in which references replace large parts. */
export interface ReferencedValue<Value extends Json = Json> {
  readonly value: Value;
  readonly references: readonly Reference[];
}

/** The visible replacement for a stored value, for people who read the record of a run. */
export function placeholder(bytes: number, ref?: string): JsonObject {
  return { ...defined({ $ref: ref }), $bytes: bytes };
}

export function below(key: string, references: readonly Reference[]): readonly Reference[] {
  return references.map((each) => ({ ...each, at: [key, ...each.at] }));
}

/** Stores JSON text with the run. */
export type KeepText = (text: string) => Digest;

/** Replaces large values below any of the keys, at any depth. */
export function withoutLarge(value: Json, keys: ReadonlySet<string>, limit: number, keep: KeepText): ReferencedValue {
  const references: Reference[] = [];
  const visit = (each: Json, at: readonly string[]): Json => {
    if (isJsonArray(each)) return each.map((item, index) => visit(item, [...at, String(index)]));
    if (!isJsonObject(each)) return each;
    return Object.fromEntries(
      Object.entries(each).map(([key, inside]) => {
        if (!keys.has(key)) return [key, visit(inside, [...at, key])];
        const text = JSON.stringify(inside);
        if (text.length <= limit) return [key, inside];
        references.push({ at: [...at, key], digest: keep(text), bytes: text.length });
        return [key, placeholder(text.length)];
      }),
    );
  };
  return { value: visit(value, []), references };
}
