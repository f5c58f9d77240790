// References: places in what a planner is told where a large value belongs, and where the run keeps that value.
import type { Digest } from './digest.ts';
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject } from './json.ts';

export interface Reference {
  /** From the outermost value inwards. */
  readonly at: readonly string[];
  /** Of the blob that holds the value. */
  readonly digest: Digest;
  /** Of the blob's JSON. */
  readonly bytes: number;
  /** Where in the blob; absent: all of it. `*` stands for every item. */
  readonly path?: readonly string[];
}

/** A value, or what stands in its place and where it is kept. */
export interface Referred<Value extends Json = Json> {
  readonly value: Value;
  readonly references: readonly Reference[];
}

/** What stands in the place of a value that is kept elsewhere; for people who read the record of a run. */
export function placeholder(bytes: number, ref?: string): JsonObject {
  return { ...defined({ $ref: ref }), $bytes: bytes };
}

export function below(key: string, references: readonly Reference[]): readonly Reference[] {
  return references.map((each) => ({ ...each, at: [key, ...each.at] }));
}

/** Keeps a text of JSON with the run. */
export type KeepText = (text: string) => Digest;

/** Takes large values out of those that stand under one of the keys, at any depth. */
export function withoutLarge(value: Json, keys: ReadonlySet<string>, limit: number, keep: KeepText): Referred {
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
