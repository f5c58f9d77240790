// JSON values as types, with basic queries and canonical text.

export type Scalar = null | boolean | number | string;
export type Json = Scalar | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A value of a program as data: keys with the value `undefined` are left out. The compiler takes an object of any type. */
export function plainJson(value: Json | object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** An own property of a JSON object; undefined when absent, even for names such as `constructor`. */
export function ownProperty(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The name of a value's type in messages: `null`, `list`, `map`, `string`, `number` or `boolean`. */
export function nameOfKind(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' ? 'map' : typeof value;
}

/** The return type of `defined`: keys whose value may be undefined become optional. */
export type Defined<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without the keys whose value is undefined. */
export function defined<const T extends object>(values: T): Defined<T>;
export function defined(values: Readonly<Record<string, unknown>>): object {
  let isWhole = true;
  let isEmpty = true;
  for (const key in values) {
    if (values[key] === undefined) isWhole = false;
    else isEmpty = false;
  }
  if (isWhole) return values;
  if (isEmpty) return NOTHING;
  const kept: Record<string, unknown> = {};
  for (const key in values) if (values[key] !== undefined) kept[key] = values[key];
  return kept;
}

const NOTHING = Object.freeze({});

/** Equal values give equal text: keys sorted by code unit, no spaces. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const keys = Object.keys(value);
  if (keys.length > 1) keys.sort();
  let text = '';
  for (const key of keys) {
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`;
  }
  return `{${text}}`;
}
