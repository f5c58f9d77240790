// The TypeScript type of the values that a contract literal describes.
import type { Json, JsonObject } from '../base/json.ts';

/** A JSON Schema, or a signature such as `{path :string, limit :int?}`. */
export type ContractSource = JsonObject | string;

/** Reads a literal JSON Schema or a flat signature; Json where the literal does not tell the type. */
export type FromContract<C> = C extends string ? FromFields<C> : C extends object ? FromSchema<C> : Json;

type FromSchema<S> = S extends { const: infer C }
  ? C
  : S extends { enum: readonly (infer E)[] }
    ? E
    : S extends { anyOf: readonly (infer A)[] }
      ? FromEach<A>
      : S extends { type: readonly (infer T)[] }
        ? FromEachType<T, S>
        : S extends { type: infer T }
          ? FromType<T, S>
          : Json;

type FromEach<A> = A extends unknown ? FromSchema<A> : never;
type FromEachType<T, S> = T extends unknown ? FromType<T, S> : never;

type FromType<T, S> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? readonly (S extends { items: infer I } ? FromSchema<I> : Json)[]
          : T extends 'object'
            ? FromObject<S>
            : Json;

type FromObject<S> = S extends { properties: infer P }
  ? Flat<
      { readonly [K in keyof P & RequiredKeys<S>]: FromSchema<P[K]> } & {
        readonly [K in Exclude<keyof P, RequiredKeys<S>>]?: FromSchema<P[K]>;
      }
    >
  : S extends { additionalProperties: infer A extends object }
    ? { readonly [key: string]: FromSchema<A> }
    : JsonObject;

type RequiredKeys<S> = S extends { required: readonly (infer R)[] } ? R : never;
type Flat<T> = { [K in keyof T]: T[K] };

/** Reads `{a :string, b :int?}`; nested parts are Json. */
type FromFields<Text extends string> = Text extends `{${infer Fields}}`
  ? Fields extends `${string}${'{' | '[' | '|'}${string}`
    ? Json
    : Flat<FieldsOf<Fields>>
  : Json;

type FieldsOf<Text extends string> = Text extends `${infer Field},${infer Rest}`
  ? FieldOf<Trim<Field>> & FieldsOf<Rest>
  : FieldOf<Trim<Text>>;

type FieldOf<Field extends string> = Field extends `${infer Name} :${infer Type}?`
  ? { readonly [K in Trim<Name>]?: Primitive<Type> }
  : Field extends `${infer Name} :${infer Type}`
    ? { readonly [K in Trim<Name>]: Primitive<Type> }
    : unknown;

type Primitive<Type extends string> = Type extends 'string' | 'datetime'
  ? string
  : Type extends 'int' | 'float' | 'number'
    ? number
    : Type extends 'bool'
      ? boolean
      : Type extends 'map'
        ? JsonObject
        : Type extends 'list'
          ? readonly Json[]
          : Json;

type Trim<Text extends string> = Text extends ` ${infer Rest}` | `${infer Rest} ` ? Trim<Rest> : Text;
