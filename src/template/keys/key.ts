// Defines a key of a template once: its JSON Schema, its reader and its name in code.
import type { Issue, PathPart } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject, type Scalar } from '../../base/json.ts';

/** Reads a written value; undefined when the value is absent or has the wrong shape. Paths of issues begin at the value. */
type Reader<Value> = (written: Json | undefined, issues: Issue[]) => Value | undefined;

/** `Given` is true when the reader always returns a value, because the key has a default. */
export class Key<
  Value = unknown,
  Name extends string | undefined = string | undefined,
  Given extends boolean = boolean,
> {
  readonly schema: JsonObject;
  readonly read: Reader<Value>;
  readonly name: Name;
  readonly given: Given;

  constructor(schema: JsonObject, read: Reader<Value>, name: Name, given: Given) {
    this.schema = schema;
    this.read = read;
    this.name = name;
    this.given = given;
  }

  /** Sets the name in code when it differs from the key in camel case. */
  as<const N extends string>(name: N): Key<Value, N, Given> {
    return new Key(this.schema, this.read, name, this.given);
  }

  /** Sets the default as an author would write it; the schema names it, and the reader fills it in. */
  or(written: Scalar): Key<Value, Name, true> {
    const value = this.read(written, []);
    if (value === undefined) throw new Error(`the default ${JSON.stringify(written)} is no value of its key`);
    return this.shows(written).orElse(value);
  }

  /** Sets a default that the reader fills in and the schema does not name. */
  orElse(value: Value): Key<Value, Name, true> {
    return new Key(this.schema, (written, issues) => this.read(written, issues) ?? value, this.name, true);
  }

  /** Sets a default that only the schema names: the reader leaves the key out, and other code applies the default. */
  shows(written: Json): Key<Value, Name, Given> {
    return this.with({ default: written });
  }

  /** Adds keywords to the schema. */
  with(more: JsonObject): Key<Value, Name, Given> {
    return new Key({ ...this.schema, ...more }, this.read, this.name, this.given);
  }

  /** Converts the value; undefined leaves the key out. */
  to<Other>(turn: (value: Value, issues: Issue[]) => Other | undefined): Key<Other, Name, false> {
    const read: Reader<Other> = (written, issues) => {
      const value = this.read(written, issues);
      return value === undefined ? undefined : turn(value, issues);
    };
    return new Key<Other, Name, false>(this.schema, read, this.name, false);
  }

  /** Accepts a shorter form besides the map; `read` reads every value that is no map. */
  orShort<Short>(schema: JsonObject, read: (written: Json) => Short | undefined): Key<Value | Short, Name, Given> {
    const either: Reader<Value | Short> = (written, issues) =>
      written === undefined || isJsonObject(written) ? this.read(written, issues) : read(written);
    return new Key<Value | Short, Name, Given>({ ...this.schema, ...schema }, either, this.name, this.given);
  }

  /** Replaces the schema by a reference to a shared one. */
  shared(name: string): Key<Value, Name, Given> {
    return new Key({ $ref: `#/$defs/${name}` }, this.read, this.name, this.given);
  }
}

/** Makes a key without a default and without an own name in code. */
export function keyOf<Value>(schema: JsonObject, read: Reader<Value>): Key<Value, undefined, false> {
  return new Key<Value, undefined, false>(schema, read, undefined, false);
}

/** A key that `readKeys` skips, because other code reads it together with other keys. */
export function unread(schema: JsonObject): Key<never, undefined, false> {
  return keyOf<never>(schema, () => undefined);
}

/** An older spelling of another key; documents are converted to the key's own name before they are read. */
export function alias(of: string, { schema }: Key): Key<never, undefined, false> {
  return unread({ ...schema, description: `Older spelling of \`${of}\`.`, 'x-alias': of });
}

export type Keys = Readonly<Record<string, Key>>;

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
type NameOf<Written extends string, K> = K extends Key<unknown, infer N extends string> ? N : Camel<Written>;
type ValueOf<K> = K extends Key<infer Value> ? Value : never;
type IsGiven<K> = K extends Key<unknown, string | undefined, true> ? true : false;
type GivenName<W extends string, K> = IsGiven<K> extends true ? NameOf<W, K> : never;
type FreeName<W extends string, K> = [ValueOf<K>] extends [never]
  ? never
  : IsGiven<K> extends true
    ? never
    : NameOf<W, K>;

/** The values of a map's keys as `readKeys` returns them. */
export type KeyValues<K extends Keys> = Simplified<
  { readonly [W in keyof K & string as GivenName<W, K[W]>]: ValueOf<K[W]> } & {
    readonly [W in keyof K & string as FreeName<W, K[W]>]?: ValueOf<K[W]>;
  }
>;

type Simplified<T> = { readonly [K in keyof T]: T[K] };

const camelNames = new Map<string, string>();

function camelOf(key: string): string {
  let name = camelNames.get(key);
  if (name === undefined) {
    name = key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    camelNames.set(key, name);
  }
  return name;
}

/** Reads the keys of a map. Paths of issues begin at the map. */
export function readKeys<K extends Keys>(keys: K, raw: JsonObject, issues?: Issue[]): KeyValues<K>;
export function readKeys(keys: Keys, raw: JsonObject, issues: Issue[] = []): object {
  const read: Record<string, unknown> = {};
  for (const key in keys) {
    const each = keys[key];
    if (each === undefined) continue;
    const value = readAt(key, each, raw[key], issues);
    if (value !== undefined) read[each.name ?? camelOf(key)] = value;
  }
  return read;
}

/** Reads the value of a key or an index; paths of its issues begin with that key or index. */
export function readAt<V>(part: PathPart, { read }: Key<V>, written: Json | undefined, issues: Issue[]): V | undefined {
  const before = issues.length;
  const value = read(written, issues);
  if (issues.length > before) {
    const found = issues.splice(before);
    issues.push(...found.map((each) => ({ ...each, path: [part, ...each.path] })));
  }
  return value;
}

/** The schemas of a map's keys. */
export function schemasOf(keys: Keys): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(Object.entries(keys).map(([key, { schema }]) => [key, schema]));
}
