// data.transform and data.aggregate compute over the data they are given and nothing else.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { dataAggregate, dataAssert, dataTransform, dataValidate } from '../../../src/capabilities/catalog/data.ts';
import { failureFrom, resultFrom } from '../workbench.ts';

describe('data.transform', () => {
  test('evaluates an expression over the data', async () => {
    const data = { rows: [{ n: 1 }, { n: 2 }] };
    expect(await resultFrom(dataTransform, { expr: '(map :n (:rows data/input))', data }, '.')).toEqual([1, 2]);
    expect(await resultFrom(dataTransform, { expr: 'data/input', data }, '.')).toEqual(data);
  });

  test('fails with the code of the Lisp, and without retry', async () => {
    const failing = (expr: string) => failureFrom(dataTransform, { expr, data: 1 }, '.');
    expect(await failing('(+ 1')).toMatchObject({ code: 'LISP_PARSE', retry: 'never' });
    expect(await failing('(/ data/input 0)')).toMatchObject({ code: 'LISP_ARITHMETIC', retry: 'never' });
    expect(await failing('(reduce + (range 100000000))')).toMatchObject({ code: 'LISP_OUT_OF_FUEL', retry: 'never' });
    expect(await failing('data/results')).toMatchObject({ code: 'LISP_UNBOUND' });
  });
});

describe('data.aggregate', () => {
  const rows = [
    { city: 'Rome', n: 3 },
    { city: 'Oslo', n: 1, day: '2024-01-02' },
    { city: 'Rome', n: null, day: '2024-01-01' },
    { n: 5 },
  ];

  test('groups rows and computes each measure', async () => {
    const measures = {
      rows: { op: 'count' },
      known: { op: 'count', field: 'n' },
      total: { op: 'sum', field: 'n' },
      mean: { op: 'avg', field: 'n' },
      first: { op: 'min', field: 'day' },
      last: { op: 'max', field: 'day' },
    };
    expect(await resultFrom(dataAggregate, { rows, group_by: ['city'], measures }, '.')).toEqual({
      groups: [
        { city: 'Rome', rows: 2, known: 1, total: 3, mean: 3, first: '2024-01-01', last: '2024-01-01' },
        { city: 'Oslo', rows: 1, known: 1, total: 1, mean: 1, first: '2024-01-02', last: '2024-01-02' },
        { city: null, rows: 1, known: 1, total: 5, mean: 5, first: null, last: null },
      ],
      rows: 4,
    });
  });

  test('treats all rows as one group by default', async () => {
    const input = { rows, measures: { largest: { op: 'max', field: 'n' } } };
    expect(await resultFrom(dataAggregate, input, '.')).toEqual({ groups: [{ largest: 5 }], rows: 4 });
    expect(await resultFrom(dataAggregate, { ...input, rows: [] }, '.')).toEqual({ groups: [], rows: 0 });
  });

  test('refuses measures that cannot be computed', async () => {
    const failing = (measure: { op: string; field?: string }, values: (string | number)[]) =>
      failureFrom(dataAggregate, { rows: values.map((v) => ({ v })), measures: { m: measure } }, '.');
    const invalid = (message: string) => ({ code: 'AGGREGATE_INVALID', retry: 'never', message });
    expect(await failing({ op: 'sum', field: 'v' }, [1, 'two'])).toMatchObject(
      invalid('measure "m": sum needs numbers and "v" holds a string'),
    );
    expect(await failing({ op: 'min', field: 'v' }, [1, 'two'])).toMatchObject(
      invalid('measure "m": min needs only numbers or only strings and "v" holds number and string'),
    );
    expect(await failing({ op: 'avg' }, [1])).toMatchObject(invalid('measure "m": avg needs a field'));
  });

  test('loses no row and no amount in any grouping', async () => {
    const row = fc.record({ k: fc.integer({ min: 0, max: 4 }), n: fc.integer({ min: -100, max: 100 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (given) => {
        const measures = { rows: { op: 'count' }, total: { op: 'sum', field: 'n' } };
        const result = await resultFrom(dataAggregate, { rows: given, group_by: ['k'], measures }, '.');
        const { groups } = result as { groups: { rows: number; total: number }[] };
        const sum = (values: number[]) => values.reduce((total, n) => total + n, 0);
        expect(sum(groups.map(({ rows: count }) => count))).toBe(given.length);
        expect(sum(groups.map(({ total }) => total))).toBe(sum(given.map(({ n }) => n)));
      }),
    );
  });
});

describe('data.validate', () => {
  const validate = (data: Json, contract: Json) => resultFrom(dataValidate, { data, contract }, '.');

  test('lists each place that does not fit', async () => {
    expect(await validate({ a: 'x', b: [1, 'y'] }, '{a :int, b [:int]}')).toEqual({
      valid: false,
      findings: [
        { path: 'a', message: expect.stringContaining('not a whole number') },
        { path: 'b[1]', message: expect.stringContaining('not a whole number') },
      ],
      count: 2,
    });
    expect(await validate({ a: 1 }, { type: 'object', required: ['a'] })).toEqual({
      valid: true,
      findings: [],
      count: 0,
    });
  });

  test('does not accept values that would need coercion', async () => {
    expect(await validate({ a: '7' }, '{a :int}')).toMatchObject({ valid: false, findings: [{ path: 'a' }] });
  });

  test('reports errors in the contract', async () => {
    const failure = await failureFrom(dataValidate, { data: 1, contract: { typ: 'string' } }, '.');
    expect(failure).toMatchObject({ code: 'CONTRACT_KEYWORD_UNSUPPORTED', retry: 'never' });
  });
});

describe('data.assert', () => {
  const assert = (that: string, message?: string): Json => ({
    that,
    data: { total: 3 },
    ...(message === undefined ? {} : { message }),
  });

  test('succeeds when the expression holds', async () => {
    expect(await resultFrom(dataAssert, assert('(pos? (:total data/input))'), '.')).toEqual({ holds: true });
  });

  test.each([
    ['(neg? (:total data/input))', undefined, '(neg? (:total data/input)) does not hold'],
    ['nil', 'totals are negative', 'totals are negative'],
    ['(when (pos? (:total data/input)) "too much")', undefined, 'too much'],
  ])('fails for %s', async (that, message, said) => {
    expect(await failureFrom(dataAssert, assert(that, message), '.')).toMatchObject({
      code: 'ASSERTION_FAILED',
      retry: 'never',
      message: said,
    });
  });

  test.each(['(+ 1 nil)', '(pos?'])('says what is wrong with %s', async (that) => {
    expect((await failureFrom(dataAssert, assert(that), '.')).code).toMatch(/^LISP_/);
  });
});
