// Reads single values of a map; absent values and values of another type are undefined.
import { isJsonArray, isJsonObject, type JsonObject } from '../../base/json.ts';

export function textAt(raw: JsonObject, key: string): string | undefined {
  const value = raw[key];
  return typeof value === 'string' ? value : undefined;
}

export function mapAt(raw: JsonObject, key: string): JsonObject | undefined {
  const value = raw[key];
  return isJsonObject(value) ? value : undefined;
}

/** A single word counts as a list of one. */
export function wordsAt(raw: JsonObject, key: string): readonly string[] {
  const value = raw[key];
  if (typeof value === 'string') return [value];
  return isJsonArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
