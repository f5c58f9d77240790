// JSON values as types, and the small questions everyone asks of them.

export type Scalar = null | boolean | number | string;
export type Json = Scalar | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** An own property of a JSON object; undefined when absent, also for names that live on the prototype. */
export function ownProperty(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** What a value is called in messages: `null`, `list`, `map`, `string`, `number` or `boolean`. */
export function nameOfKind(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' ? 'map' : typeof value;
}

/** The same value always gives the same text: keys sorted by code unit, no spaces. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: Json): Json {
  if (isJsonArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.keys(value)
    .sort()
    .map((key) => [key, sorted(value[key] ?? null)] as const);
  return Object.fromEntries(entries);
}
