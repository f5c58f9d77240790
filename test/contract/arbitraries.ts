// Schemas within the subset, each with values that fit it, and small changes of a schema.
import fc from 'fast-check';
import type { Json } from '../../src/base/json.ts';
import type { Schema } from '../../src/contract/contract.ts';

export interface Typed {
  readonly schema: Schema;
  /** Values that fit the schema. */
  readonly value: fc.Arbitrary<Json>;
}

const names = ['a', 'b', 'c', 'd'];
const smallNumber = fc.integer({ min: -20, max: 20 }).map((n) => n / 4);
export const anyJson: fc.Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Json);

const flat: fc.Arbitrary<Typed> = fc.oneof(
  fc.constant({ schema: {}, value: anyJson }),
  fc.constant({ schema: { type: 'null' }, value: fc.constant(null) }),
  fc.constant({ schema: { type: 'boolean' }, value: fc.boolean() }),
  fc.constant({ schema: { type: 'string' }, value: fc.string() }),
  fc.constant({ schema: { type: ['string', 'null'] }, value: fc.oneof(fc.string(), fc.constant(null)) }),
  fc.constant({ schema: { type: 'number' }, value: smallNumber }),
  fc.constant({ schema: { type: 'string', format: 'date' }, value: fc.constant('2026-01-31') }),
  fc.constant({ schema: { type: 'string', pattern: '^x+$' }, value: fc.constant('xx') }),
  fc
    .tuple(fc.integer({ min: -5, max: 5 }), fc.nat(5), fc.constantFrom(1, 2, 3))
    .map(([minimum, span, multipleOf]) => ({ minimum, maximum: minimum + span, multipleOf }))
    .map(({ minimum, maximum, multipleOf }) => ({
      schema: { type: 'integer', minimum, maximum: maximum + multipleOf, multipleOf },
      value: fc
        .integer({ min: Math.ceil(minimum / multipleOf), max: Math.floor((maximum + multipleOf) / multipleOf) })
        .map((n) => n * multipleOf),
    })),
  fc.tuple(fc.nat(3), fc.nat(3)).map(([minLength, more]) => ({
    schema: { type: 'string', minLength, maxLength: minLength + more },
    value: fc.string({ minLength, maxLength: minLength + more, unit: 'grapheme-ascii' }),
  })),
  fc
    .uniqueArray(fc.oneof(fc.constantFrom('p', 'q', 'r'), fc.integer({ min: 0, max: 3 }), fc.constant(null)), {
      minLength: 1,
    })
    .map((values) => ({
      schema: { enum: values },
      value: fc.constantFrom(...values),
    })),
  anyJson.map((value) => ({ schema: { const: value }, value: fc.constant(value) })),
);

function listOf(inner: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> {
  return fc.tuple(inner, fc.nat(2), fc.nat(2)).map(([item, minItems, more]) => ({
    schema: { type: 'array', items: item.schema, minItems, maxItems: minItems + more },
    value: fc.array(item.value, { minLength: minItems, maxLength: minItems + more }),
  }));
}

function mapOf(inner: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> {
  const properties = fc.dictionary(fc.constantFrom(...names), fc.tuple(inner, fc.boolean()), { maxKeys: 3 });
  return fc.tuple(properties, fc.constantFrom('open', 'closed', 'typed'), inner).map(([fields, openness, other]) => {
    const required = Object.keys(fields).filter((name) => fields[name]?.[1]);
    const others = names.filter((name) => !Object.hasOwn(fields, name));
    const own = fc.record(Object.fromEntries(Object.entries(fields).map(([name, [typed]]) => [name, typed.value])), {
      requiredKeys: required,
    });
    const extra =
      openness === 'closed'
        ? fc.constant({})
        : fc.dictionary(fc.constantFrom(...others, 'e'), openness === 'open' ? anyJson : other.value);
    return {
      schema: {
        type: 'object',
        properties: Object.fromEntries(Object.entries(fields).map(([name, [typed]]) => [name, typed.schema])),
        ...(required.length === 0 ? {} : { required }),
        ...(openness === 'open' ? {} : { additionalProperties: openness === 'closed' ? false : other.schema }),
      },
      value: fc.tuple(own, extra).map(([left, right]) => ({ ...right, ...left }) as Json),
    };
  });
}

function unionOf(inner: fc.Arbitrary<Typed>): fc.Arbitrary<Typed> {
  return fc.array(inner, { minLength: 1, maxLength: 3 }).map((branches) => ({
    schema: { anyOf: branches.map((branch) => branch.schema) },
    value: fc.oneof(...branches.map((branch) => branch.value)),
  }));
}

export const typed: fc.Arbitrary<Typed> = fc.letrec<{ typed: Typed }>((tie) => ({
  typed: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    flat,
    listOf(tie('typed')),
    mapOf(tie('typed')),
    unionOf(tie('typed')),
  ),
})).typed;

/** A schema near the given one, so that many pairs satisfy each other and many nearly do. */
export function near(schema: Schema): fc.Arbitrary<Schema> {
  const without = Object.keys(schema).map((keyword) =>
    Object.fromEntries(Object.entries(schema).filter(([key]) => key !== keyword)),
  );
  const deeper = Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword !== 'items' && keyword !== 'additionalProperties') return [];
    return typeof value === 'object'
      ? [near(value as Schema).map((changed) => ({ ...schema, [keyword]: changed }))]
      : [];
  });
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, value]) =>
    near(value).map(
      (changed): Schema => ({ ...schema, properties: { ...(schema.properties as Schema), [name]: changed } }),
    ),
  );
  return fc.oneof(
    fc.constantFrom<Schema>(
      schema,
      ...without,
      { anyOf: [schema, { type: 'null' }] },
      { oneOf: [schema, { type: 'null' }] },
      { allOf: [schema, { minimum: 0 }] },
      { allOf: [schema], maxItems: 2 },
      { allOf: [schema], maxProperties: 2 },
      { allOf: [schema], additionalProperties: false },
      { allOf: [schema], additionalProperties: { type: 'string' } },
      { allOf: [schema], propertyNames: { maxLength: 1 } },
      { allOf: [schema], required: ['a'] },
      { allOf: [schema], properties: { b: { type: 'number' } } },
      { allOf: [schema], multipleOf: 2 },
      { allOf: [schema], uniqueItems: true },
      { not: schema },
      { type: 'number' },
      { type: 'integer', exclusiveMinimum: -1 },
      { $ref: '#/$defs/it', $defs: { it: schema } },
    ),
    ...deeper,
    ...properties,
  );
}
