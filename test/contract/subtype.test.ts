// Sound subtyping: values of a producer that satisfies a contract always pass its check.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractOf, readContract, type Schema } from '../../src/contract/contract.ts';
import { satisfies } from '../../src/contract/subtype.ts';
import { near, typed } from './arbitraries.ts';

function schema(source: string | Schema): Schema {
  const read = readContract(source);
  if (!read.ok) throw new Error(read.error.map((each) => each.message).join());
  return read.value.schema;
}

const closed = { additionalProperties: false };

type Verdict = readonly [name: string, producer: string | Schema, consumer: string | Schema, reason?: string];

const verdicts: readonly Verdict[] = [
  ['the same contract satisfies itself', '{a :int, b [:string]}', '{a :int, b [:string]}'],
  ['an integer satisfies a number', '{a :int}', '{a :number}'],
  [
    'a number does not satisfy an integer',
    '{a :number}',
    '{a :int}',
    'a: may have a fraction, but a whole number is required',
  ],
  [
    'an optional field does not satisfy a required one',
    '{a :int?}',
    '{a :int}',
    'a: "a" is optional, but the contract requires it',
  ],
  [
    'a misspelt field is named',
    '{colums :int}',
    '{columns :int}',
    'columns: "columns" is required, but not declared; did you mean "colums"?',
  ],
  ['a nullable item does not satisfy one that is not', '[:int?]', '[:int]', '*: may be null, but a number is required'],
  ['an extra field does no harm', '{a :int, b :int}', '{a :int}'],
  [
    'a field not declared may be anything',
    '{a :int}',
    '{a :int, b :int?}',
    'b: "b" is not declared, so it may have any value',
  ],
  ['a closed producer cannot have it', { type: 'object', properties: {}, ...closed }, '{b :int?}'],
  [
    'an open map does not satisfy a closed one',
    '{a :int}',
    { ...schema('{a :int}'), ...closed },
    'may have properties that are not declared, but only "a" is allowed',
  ],
  [
    'a declared extra does not either',
    { ...schema('{a :int, b :int}'), ...closed },
    { ...schema('{a :int}'), ...closed },
    'b: may have "b", but only "a" is allowed',
  ],
  ['fewer choices satisfy more', ':"a"|:"b"', ':"a"|:"b"|:"c"'],
  ['more choices do not satisfy fewer', ':"a"|:"b"', ':"a"', 'may be "b", which is not an allowed value'],
  ['any text does not satisfy choices', ':string', ':"a"', 'may be any string, but only listed values are allowed'],
  ['both booleans satisfy the list of both', ':bool', { enum: [true, false] }],
  ['a constant satisfies what it fits', { const: { a: [1, 2] } }, '{a [:int]}'],
  ['anything satisfies anything', ':any', ':any'],
  [
    'anything satisfies nothing less',
    ':any',
    ':string',
    'may be null or a boolean or a number or a list or a map, but a string is required',
  ],
  [
    'every branch of a union must satisfy',
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
    ':string',
    'may be null, but a string is required',
  ],
  ['types and unions mean the same', { type: ['string', 'null'] }, { anyOf: [{ type: 'null' }, { type: 'string' }] }],
  ['a list that stays empty satisfies any list', { type: 'array', items: { type: 'string' }, maxItems: 0 }, '[:int]'],
  [
    'a shorter minimum is not enough',
    { type: 'string', minLength: 1 },
    { type: 'string', minLength: 2 },
    'may have fewer than 2 characters',
  ],
  ['whole numbers from 1 are above 0', { type: 'integer', minimum: 1 }, { type: 'number', exclusiveMinimum: 0 }],
  ['required names count as properties', '{a :int, b :int}', { type: 'object', minProperties: 2 }],
  [
    'another pattern cannot be shown',
    { type: 'string', pattern: '^aa' },
    { type: 'string', pattern: '^a' },
    'may not match the pattern ^a',
  ],
  ['listed texts are tried on the pattern', { enum: ['ab', 'ac'] }, { type: 'string', pattern: '^a' }],
  ['listed texts are tried on the format', { const: '2026-01-31T12:00:00Z' }, ':datetime'],
  ['a listed text that is not written so', { const: 'soon' }, ':datetime', 'may not be written as date-time'],
  ['any text may be written otherwise', ':string', ':datetime', 'may not be written as date-time'],
  ['a whole number is one of 64 bits', ':int', { type: 'integer', format: 'int64' }],
  ['a fraction is not', ':number', { type: 'number', format: 'int64' }, 'may not be written as int64'],
  ['what a format asks of texts it does not ask of numbers', ':int', { type: ['integer', 'string'], format: 'date' }],
  ['any text may be a password', ':string', { type: 'string', format: 'password' }],
  ['what is excluded by kind', ':string', { not: { type: 'number' } }],
];

const tagged: Schema = {
  oneOf: [
    { type: 'object', required: ['kind', 'x'], properties: { kind: { const: 'point' }, x: { type: 'number' } } },
    { type: 'object', required: ['kind'], properties: { kind: { const: 'none' } } },
  ],
};
const list = (item: string, ...more: string[]): Schema => ({
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      required: ['value', ...more],
      properties: { value: { type: item }, next: { $ref: '#/$defs/node' } },
      ...closed,
    },
  },
});

describe('subtyping', () => {
  it.each(verdicts.map((verdict) => ({ name: verdict[0], verdict })))(
    '$name',
    ({ verdict: [, producer, consumer, reason] }) => {
      const verdict = satisfies(schema(producer), schema(consumer));
      const reasons = verdict.ok ? undefined : verdict.error.map((each) => [...each.path, each.message].join(': '));
      expect(reasons).toEqual(reason === undefined ? undefined : [reason]);
    },
  );

  it('distinguishes tagged alternatives', () => {
    expect(satisfies(tagged, tagged)).toMatchObject({ ok: true });
    const untagged = {
      ...tagged,
      oneOf: [{ type: 'object', required: ['kind'], properties: { kind: { enum: ['none', 'other'] } } }],
    };
    expect(satisfies(untagged, tagged).ok).toBe(false);
  });

  it('compares recursive contracts', () => {
    expect(satisfies(list('integer'), list('number'))).toMatchObject({ ok: true });
    expect(satisfies(list('number'), list('integer')).ok).toBe(false);
  });

  it('refuses too many alternatives instead of comparing forever', () => {
    const pair = { anyOf: [{ required: ['a'] }, { required: ['b'] }] };
    const verdict = satisfies({ allOf: Array.from({ length: 30 }, () => ({ ...pair })) }, { type: 'object' });
    expect(verdict).toMatchObject({ ok: false, error: [{ message: 'has too many alternatives to compare' }] });
  });

  it('refuses deep nesting behind references, on either side', () => {
    const deep = (levels: number, inside: Schema): Schema =>
      levels === 0 ? inside : { type: 'object', required: ['a'], properties: { a: deep(levels - 1, inside) } };
    expect(satisfies(deep(40, { type: 'integer' }), deep(40, { type: 'number' }))).toMatchObject({ ok: true });
    expect(satisfies(deep(40, { type: 'number' }), deep(40, { type: 'integer' }))).toMatchObject({
      ok: false,
      error: [{ path: Array.from({ length: 40 }, () => 'a') }],
    });
    expect(satisfies(deep(80, { type: 'integer' }), deep(80, { type: 'number' }))).toMatchObject({
      ok: false,
      error: [{ message: 'the contracts are too large to compare' }],
    });
  });

  it('agrees with an independent validator', () => {
    const judge = new Ajv2020({ strict: false, validateFormats: false });
    const pairs = typed.chain((producer) =>
      fc.record({ producer: fc.constant(producer.schema), consumer: near(producer.schema), value: producer.value }),
    );
    let shown = 0;
    fc.assert(
      fc.property(pairs, ({ producer, consumer, value }) => {
        if (!readContract(consumer).ok || !satisfies(producer, consumer).ok) return;
        shown += 1;
        expect(judge.validate(consumer, value)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
    expect(shown).toBeGreaterThan(50);
  });

  it('is reflexive for contracts without exclusions', () => {
    fc.assert(fc.property(typed, ({ schema: own }) => satisfies(own, own).ok));
  });

  it('accepts only producers whose every value passes without coercion', () => {
    const pairs = fc.oneof(
      typed.chain((producer) => fc.record({ producer: fc.constant(producer), consumer: near(producer.schema) })),
      fc.record({ producer: typed, consumer: typed.map((each) => each.schema) }),
    );
    const cases = pairs.chain(({ producer, consumer }) =>
      fc.record({
        producer: fc.constant(producer.schema),
        consumer: fc.constant(consumer),
        values: fc.array(producer.value, { minLength: 1, maxLength: 4 }),
      }),
    );
    let shown = 0;
    fc.assert(
      fc.property(cases, ({ producer, consumer, values }) => {
        if (!readContract(consumer).ok || !satisfies(producer, consumer).ok) return;
        shown += 1;
        for (const value of values)
          expect(contractOf(consumer).check(value)).toEqual({ ok: true, value, warnings: [], coercions: [] });
      }),
      { numRuns: 1_000 },
    );
    expect(shown).toBeGreaterThan(50);
  });
});
