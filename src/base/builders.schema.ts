// The builders that every schema of the project is written with: JSON Schema 2020-12 and its TypeScript type in one expression.
import Type, { type TSchema, type TUnsafe } from 'typebox';
import { defined, type Json, type JsonObject } from './json.ts';

/** A schema whose type is not compared: `Schema<T>` of any `T`. */
export type AnySchema = TUnsafe;

/** The type of the values that a schema allows. TypeBox's own `Static` tries each kind of schema in turn, which costs the compiler seconds. */
export type Static<S extends AnySchema> = S['~unsafe'];

/** The key under which a schema carries the name of a type that the source declares; JSON does not show it. */
export const typeName: unique symbol = Symbol('the name of a type of the source');

/** A schema of exactly `T`: the compiler refuses a schema of a narrower and of a wider type. */
export interface Schema<T> extends TUnsafe<T> {
  readonly '~exactly'?: (value: T) => void;
}

/** The schema of a key that may be absent. */
export interface OptionalSchema<T> extends TUnsafe<T> {
  readonly '~optional': true;
}

export type SchemasByKey = Readonly<Record<string, AnySchema>>;

type RequiredValues<P extends SchemasByKey> = {
  readonly [K in keyof P as P[K] extends OptionalSchema<unknown> ? never : K]: Static<P[K]>;
};
type OptionalValues<P extends SchemasByKey> = {
  readonly [K in keyof P as P[K] extends OptionalSchema<unknown> ? K : never]?: Static<P[K]>;
};
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** The type of the keys of a map: readonly, and optional where `optional` says so. */
export type Keys<P extends SchemasByKey> = Flat<RequiredValues<P> & OptionalValues<P>>;

const as = <T>(schema: JsonObject | TSchema): Schema<T> => Type.Unsafe<T>(schema);

export const text = (description?: string, more: JsonObject = {}): Schema<string> =>
  as(Type.String(defined({ description, ...more })));

/** A whole number that is not negative, unless `more` says otherwise. */
export const count = (description?: string, more: JsonObject = {}): Schema<number> =>
  as(Type.Integer(defined({ minimum: 0, description, ...more })));

export const number = (description?: string, more: JsonObject = {}): Schema<number> =>
  as(Type.Number(defined({ description, ...more })));

export const flag = (description?: string): Schema<boolean> => as(Type.Boolean(defined({ description })));

/** One value and no other. */
export const only = <const T extends string | number | boolean>(value: T, description?: string): Schema<T> =>
  as(defined({ const: value, description }));

/** A key that is present and true, or absent. */
export const marked = (description: string) => only(true, description);

export const oneOf = <const W extends string>(words: readonly W[], description?: string): Schema<W> =>
  as(defined({ enum: words, description }));

export const list = <T extends AnySchema>(items: T, description?: string): Schema<readonly Static<T>[]> =>
  as(Type.Array(items, defined({ description })));

/** A map with these keys and no others. */
export const map = <P extends SchemasByKey>(keys: P, description?: string): Schema<Keys<P>> =>
  as(Type.Object(keys, defined({ description, additionalProperties: false })));

/** A map with any keys, whose values are alike. */
export const record = <T extends AnySchema>(
  each: T,
  description?: string,
): Schema<Readonly<Record<string, Static<T>>>> =>
  as(defined({ type: 'object', description, additionalProperties: each }));

/** A key that may be absent. */
export const optional = <T>(schema: TUnsafe<T>): OptionalSchema<T> => Type.Optional(schema);

export const orNull = <T>(schema: Schema<T>): Schema<T | null> => anyOf([schema, as<null>(Type.Null())]);

/** A value that one or more of the schemas allow. */
export const anyOf = <const T extends readonly AnySchema[]>(
  schemas: T,
  description?: string,
): Schema<Static<T[number]>> => as(defined({ anyOf: schemas, description }));

/** A value that exactly one of the schemas allows. */
export const eitherOf = <const T extends readonly AnySchema[]>(
  schemas: T,
  description?: string,
): Schema<Static<T[number]>> => as(defined({ description, oneOf: schemas }));

/** Any value at all. */
export const json = (description?: string): Schema<Json> => called('Json', as(defined({ description })));

/** A map of any keys and values. */
export const jsonObject = (description?: string): Schema<JsonObject> =>
  called('JsonObject', as(defined({ type: 'object', description })));

/** A schema of a type that the source declares: both say the same, and printed types name it instead of repeating it. */
export const called = <T>(name: string, schema: Schema<T>): Schema<T> =>
  Object.assign(as<T>(schema), { [typeName]: name });

/** As `called`, where the schema says less than the type. */
export const loosely = <T>(name: string, schema: JsonObject | TSchema, description?: string): Schema<T> =>
  called(name, as<T>({ ...schema, ...defined({ description }) }));

/** Refers to a schema under `$defs`, with a description of its own. */
export const reference =
  <T>(name: string, definition: string) =>
  (description?: string): Schema<T> =>
    called(name, as<T>(defined({ $ref: `#/$defs/${definition}`, description })));

/** A schema as other tools read it. */
export const plain = (schema: object): JsonObject => JSON.parse(JSON.stringify(schema));
