// Infers contracts from values.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractOf, readContract } from '../../src/contract/contract.ts';
import { inferSchema } from '../../src/contract/inference.ts';
import { anyJson } from './arbitraries.ts';

describe('an inferred contract', () => {
  it('is marked, and merges the common parts of list items', () => {
    expect(
      inferSchema([
        { a: 1, b: [] },
        { a: 1.5, b: ['x'], c: null },
        { a: 2, b: [], c: { d: 1 } },
      ]),
    ).toEqual({
      type: 'array',
      items: {
        type: 'object',
        properties: {
          a: { type: 'number' },
          b: { type: 'array', items: { type: 'string' } },
          c: { anyOf: [{ type: 'null' }, { type: 'object', properties: { d: { type: 'integer' } }, required: ['d'] }] },
        },
        required: ['a', 'b'],
      },
      'x-inferred': true,
    });
  });

  it('is valid, and accepts its value', () => {
    fc.assert(
      fc.property(
        anyJson,
        (value) => readContract(inferSchema(value)).ok && contractOf(inferSchema(value)).check(value).ok,
      ),
    );
  });

  it('contains no data', () => {
    expect(JSON.stringify(inferSchema({ name: 'Ada', tags: ['x1', 'x2'] }))).not.toMatch(/Ada|x1|x2/);
  });

  it('stays small for large and deep values', () => {
    const wide = Array.from({ length: 60 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 200 }, (_each, column) => [`c${row}_${column}`, [[row]]])),
    );
    const deep = Array.from({ length: 100 }).reduce<object>((inner) => ({ inner }), {});
    expect(JSON.stringify(inferSchema(wide as never)).length).toBeLessThan(200_000);
    expect(JSON.stringify(inferSchema(deep as never)).length).toBeLessThan(1_000);
  });
});
