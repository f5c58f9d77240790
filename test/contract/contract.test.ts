// Reading contracts and checking values against them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { type Contract, contractOf, readContract } from '../../src/contract/contract.ts';
import { anyJson, typed } from './arbitraries.ts';

function contract(source: Json): Contract {
  const read = readContract(source);
  if (!read.ok) throw new Error(read.error.map((each) => each.message).join());
  return read.value;
}

function codes(source: Json): readonly string[] {
  const read = readContract(source);
  return read.ok ? [] : read.error.map((each) => each.code);
}

const refusals: ReadonlyArray<readonly [name: string, source: Json, code: string]> = [
  ['a number is no contract', 5, 'CONTRACT_UNREADABLE'],
  ['a misspelt keyword', { propertys: {} }, 'CONTRACT_KEYWORD_UNSUPPORTED'],
  ['a keyword outside the subset', { if: {} }, 'CONTRACT_KEYWORD_UNSUPPORTED'],
  ['a misspelt hint', { 'x-smaple': 3 }, 'CONTRACT_KEYWORD_UNSUPPORTED'],
  ['a hint that does not fit', { 'x-sample': -1 }, 'CONTRACT_ANNOTATION_INVALID'],
  ['an unknown type', { type: 'strng' }, 'CONTRACT_KEYWORD_INVALID'],
  ['a schema that is a list', { items: [] }, 'CONTRACT_KEYWORD_INVALID'],
  ['a limit that is a text', { minimum: '1' }, 'CONTRACT_KEYWORD_INVALID'],
  ['a pattern with lookahead', { pattern: '(?=a)' }, 'CONTRACT_PATTERN_INVALID'],
  ['an unknown format', { format: 'dat' }, 'CONTRACT_FORMAT_UNKNOWN'],
  ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, 'CONTRACT_DIALECT_UNSUPPORTED'],
  ['a reference to nothing', { $ref: '#/$defs/x' }, 'CONTRACT_REFERENCE_UNKNOWN'],
  ['a reference to itself', { anyOf: [{ $ref: '#' }] }, 'CONTRACT_REFERENCE_LOOP'],
];

describe('reading a contract', () => {
  it.each(refusals)('refuses %s', (_name, source, code) => {
    expect(codes(source)).toEqual([code]);
  });

  it('suggests where a property among the keywords belongs', () => {
    const hintOf = (source: Json): string | undefined => {
      const read = readContract(source);
      return read.ok ? undefined : read.error[0]?.hint;
    };
    for (const source of [{ approved: 'boolean' }, { approved: { type: 'boolean' } }]) {
      expect(hintOf(source)).toContain('{ properties: { approved: … } }');
    }
    expect(hintOf({ if: {} })).toMatch(/^use only/);
  });

  it('refuses endlessly nested schemas', () => {
    const deep = Array.from({ length: 200 }).reduce<Json>((inner) => ({ items: inner }), {});
    expect(codes(deep)).toEqual(['CONTRACT_TOO_DEEP']);
  });

  it('reports all errors at once, with path and hint', () => {
    const read = readContract({ properties: { a: { tpe: 'x' }, b: { type: 'int' } } }, { path: ['output'] });
    expect(read).toMatchObject({
      ok: false,
      error: [
        { path: ['output', 'properties', 'a', 'tpe'], hint: 'did you mean "type"?' },
        { path: ['output', 'properties', 'b', 'type'] },
      ],
    });
  });

  it('ignores hints of other tools', () => {
    expect(codes({ 'x-vendor-colour': 'red', 'x-keep': true })).toEqual([]);
  });

  it('gives one contract for equal schemas, whatever the order of keys', () => {
    expect(contractOf({ type: 'string', minLength: 1 })).toBe(contractOf({ minLength: 1, type: 'string' }));
  });

  it('separates schemas with the same $id', () => {
    expect(contract({ $id: 'urn:a', type: 'string' }).check('x').ok).toBe(true);
    expect(contract({ $id: 'urn:a', type: 'number' }).check('x').ok).toBe(false);
  });

  it('accepts anything without constraints', () => {
    expect(readContract(undefined)).toMatchObject({ ok: true, value: { schema: {} } });
    expect(contract({ title: 'anything' }).check([1])).toEqual({ ok: true, value: [1], warnings: [], coercions: [] });
  });

  it('reads or refuses any JSON, and checks any value without throwing', () => {
    const keywords = [
      'type',
      'items',
      'properties',
      'enum',
      'anyOf',
      '$ref',
      'allOf',
      'required',
      'minimum',
      'pattern',
      'not',
      'additionalProperties',
      '$defs',
    ];
    const words = fc.constantFrom<Json>('string', 'object', '#', '#/$defs/a', ['a'], '[', 0, true);
    const { schema: schemaish } = fc.letrec<{ schema: Json }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        words,
        fc.dictionary(fc.constantFrom(...keywords, 'a'), tie('schema'), { maxKeys: 4 }) as fc.Arbitrary<Json>,
        fc.array(tie('schema'), { maxLength: 3 }),
      ),
    }));
    let read = 0;
    fc.assert(
      fc.property(schemaish, fc.array(anyJson), (source, values) => {
        const found = readContract(source);
        if (!found.ok) return found.error.length > 0;
        read += 1;
        return values.every((value) => typeof found.value.check(value).ok === 'boolean');
      }),
      { numRuns: 1_000 },
    );
    expect(read).toBeGreaterThan(50);
  });
});

const order = contract({
  type: 'object',
  required: ['count', 'kind'],
  properties: {
    count: { type: 'integer' },
    kind: { enum: ['CSV', 'json'] },
    note: { type: 'string' },
    flags: { type: 'array', items: { type: 'boolean' } },
    part: { anyOf: [{ type: 'object', required: ['x'], properties: { x: { type: 'number' } } }, { type: 'null' }] },
  },
  additionalProperties: false,
});

describe('checking a value', () => {
  it('returns the value itself when nothing is coerced', () => {
    const value = { count: 1, kind: 'CSV' };
    const checked = order.check(value);
    expect(checked.ok && checked.value).toBe(value);
  });

  it('coerces where nothing is lost, and reports it', () => {
    const value = { count: '10', kind: 'csv', note: null, flags: ['true', false], part: { x: '1.50' } };
    expect(order.check(value)).toEqual({
      ok: true,
      value: { count: 10, kind: 'CSV', flags: [true, false], part: { x: 1.5 } },
      warnings: [],
      coercions: [
        { path: ['count'], from: 'string', to: 'number' },
        { path: ['kind'], from: 'string', to: 'choice' },
        { path: ['note'], from: 'null', to: 'absent' },
        { path: ['flags', 0], from: 'string', to: 'boolean' },
        { path: ['part', 'x'], from: 'string', to: 'number' },
      ],
    });
    expect(value.count).toBe('10');
  });

  it.each(['007', '1e400', '12345678901234567890', ' 10', '0x10', '', '-0', '1.5', '10.'])(
    'does not take %j for a whole number',
    (text) => {
      expect(contract(':int').check(text).ok).toBe(false);
    },
  );

  it('never turns a number into text or a single value into a list', () => {
    expect(contract(':string').check(10).ok).toBe(false);
    expect(contract('[:int]').check(10).ok).toBe(false);
  });

  it('leaves ambiguous text unchanged', () => {
    expect(contract({ enum: [true, 'TRUE'] }).check('true').ok).toBe(false);
    expect(contract({ type: ['string', 'integer'] }).check('10')).toMatchObject({ value: '10', coercions: [] });
  });

  it('names missing and unknown properties, with suggestions', () => {
    const checked = order.check({ count: 1, knd: 'CSV' });
    expect(checked).toEqual({
      ok: false,
      coercions: [],
      error: [
        {
          path: ['kind'],
          message: 'the value lacks "kind"; it has "knd"',
          expected: 'property "kind"',
          found: 'absent',
        },
        {
          path: ['knd'],
          message: 'the value has an unknown property "knd"; did you mean "kind"?',
          expected: '"count", "kind", "note", "flags", "part"',
          found: 'string',
        },
      ],
    });
  });

  it("reports the errors of a union's likely branch, or one error for the union", () => {
    const lacking = order.check({ count: 1, kind: 'CSV', part: { y: 1 } });
    expect(lacking).toMatchObject({ error: [{ path: ['part', 'x'], message: '"part" lacks "x"' }] });
    const neither = order.check({ count: 1, kind: 'CSV', part: 3 });
    expect(neither).toMatchObject({
      error: [{ path: ['part'], expected: 'to fit one of the alternatives of its contract' }],
    });
  });

  it('distinguishes tagged alternatives, also through references', () => {
    const shape = contract({
      $defs: {
        circle: {
          type: 'object',
          required: ['kind', 'r'],
          properties: { kind: { const: 'circle' }, r: { type: 'number' } },
        },
      },
      oneOf: [
        { $ref: '#/$defs/circle' },
        { type: 'object', required: ['kind', 'w'], properties: { kind: { const: 'box' } } },
      ],
    });
    expect(shape.check({ kind: 'circle', r: [] })).toMatchObject({ error: [{ path: ['r'], expected: 'a number' }] });
    expect(shape.check({ kind: 'circle', r: '2' })).toMatchObject({ ok: true, value: { r: 2 } });
  });

  it('checks money to the cent', () => {
    const price = contract({ multipleOf: 0.01 });
    expect([19.99, 0.07, 4.35].map((value) => price.check(value).ok)).toEqual([true, true, true]);
    expect(price.check(0.005).ok).toBe(false);
  });

  it('distinguishes patterns', () => {
    const both = contract({ type: 'object', properties: { a: { pattern: '^a+$' }, b: { pattern: '^b+$' } } });
    expect(both.check({ a: 'aa', b: 'bb' }).ok).toBe(true);
    expect(both.check({ a: 'aa', b: 'aa' })).toMatchObject({ error: [{ path: ['b'] }] });
  });

  it('shows no data values', () => {
    const secret = 'hunter2 is my secret';
    const asks: readonly Json[] = [
      ':int',
      '[:int]',
      { pattern: '^a' },
      { format: 'email' },
      { enum: ['a'] },
      { maxLength: 2 },
      { not: { type: 'string' } },
    ];
    for (const source of asks) {
      const checked = contract(source).check(secret);
      expect(checked.ok).toBe(false);
      expect(JSON.stringify(checked)).not.toContain('hunter2');
    }
  });

  it('reports a value that nests too deeply', () => {
    const tree = contract({ type: 'array', items: { $ref: '#' } });
    const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as Json;
    expect(tree.check(deep)).toMatchObject({
      ok: false,
      error: [{ message: 'the value nests too deeply to be checked' }],
    });
  });

  it('accepts the values that the schema describes', () => {
    fc.assert(
      fc.property(
        typed.chain(({ schema, value }) => fc.record({ schema: fc.constant(schema), value })),
        ({ schema, value }) => contract(schema).check(value).ok,
      ),
    );
  });

  it('coerces losslessly, and only once', () => {
    const written = (value: Json): Json =>
      Array.isArray(value) ? value.map(written) : typeof value === 'object' ? value : String(value);
    const cases = fc.oneof(
      fc.double({ noDefaultInfinity: true, noNaN: true }).filter((n) => !Object.is(n, -0)),
      fc.boolean(),
      fc.maxSafeInteger(),
    );
    fc.assert(
      fc.property(fc.array(cases, { minLength: 1 }), (values) => {
        const kinds = contract({ prefixItems: values.map((value) => ({ type: typeof value })), items: false });
        const checked = kinds.check(written(values));
        const readable = values.every((value) => !/e/.test(String(value)) || JSON.stringify(value) === String(value));
        if (!checked.ok) return !readable;
        expect(checked.value).toEqual(values);
        expect(kinds.check(checked.value)).toEqual({ ok: true, value: checked.value, warnings: [], coercions: [] });
        return true;
      }),
    );
  });
});

describe('a text where a contract lists values', () => {
  it('is compared with listed maps without calling their toString', () => {
    const listed = contract({ enum: [{ toString: 1 }, ['a'], { a: { valueOf: null } }] });
    expect(listed.check('x').ok).toBe(false);
    expect(listed.check({ toString: 1, n: 2 }).ok).toBe(false);
    expect(listed.check(['a']).ok).toBe(true);
  });
});
