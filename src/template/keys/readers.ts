// Reads the values of a document that shape has let through; what is absent, or was taken out as wrong, is undefined.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { readDuration } from '../../base/quantity.ts';
import type { Result } from '../../base/result.ts';
import type { Expression } from '../references.ts';
import { isLisp } from '../references.ts';

export function textAt(raw: JsonObject, key: string): string | undefined {
  const value = raw[key];
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(raw: JsonObject, key: string): number | undefined {
  const value = raw[key];
  return typeof value === 'number' ? value : undefined;
}

export function flagAt(raw: JsonObject, key: string): boolean | undefined {
  const value = raw[key];
  return typeof value === 'boolean' ? value : undefined;
}

export function mapAt(raw: JsonObject, key: string): JsonObject | undefined {
  const value = raw[key];
  return isJsonObject(value) ? value : undefined;
}

/** One word counts as a list of it. */
export function wordsAt(raw: JsonObject, key: string): readonly string[] {
  const value: Json | undefined = raw[key];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

export function lispAt(raw: JsonObject, key: string): Expression | undefined {
  const value = raw[key];
  if (typeof value === 'string') return { $lisp: value };
  return isLisp(value) ? { $lisp: value.$lisp } : undefined;
}

/** One of the words that shape allows. */
export function choiceAt<Word extends string>(raw: JsonObject, key: string, words: readonly Word[]): Word | undefined {
  const value = raw[key];
  return words.find((word) => word === value);
}

export function durationAt(raw: JsonObject, key: string): number | undefined {
  return quantityAt(raw, key, readDuration);
}

export function quantityAt(
  raw: JsonObject,
  key: string,
  read: (value: string | number) => Result<number, string>,
): number | undefined {
  const value = raw[key];
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const reading = read(value);
  return reading.ok ? reading.value : undefined;
}

/** An object of what is there: absent entries are left out. */
export function defined<T extends object>(entries: { readonly [Key in keyof T]: T[Key] | undefined }): T;
export function defined(entries: Readonly<Record<string, unknown>>): object {
  const present: Record<string, unknown> = {};
  for (const key of Object.keys(entries)) if (entries[key] !== undefined) present[key] = entries[key];
  return present;
}
