// Examples made from contracts fit them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractOf, readContract, type Schema } from '../../src/contract/contract.ts';
import { exampleOf } from '../../src/contract/example.ts';
import { near, typed } from './arbitraries.ts';

describe('an example', () => {
  it.each<[string | Schema, unknown]>([
    ['{path :string, rows :int?}', { path: 'text', rows: 1 }],
    ['[{name :string}]', [{ name: 'text' }]],
    [':"b"|:"a"', 'b'],
    [{ type: 'integer', minimum: 5, multipleOf: 4 }, 8],
    [{ type: 'number', exclusiveMaximum: -2 }, -3],
    [{ type: 'string', minLength: 6, maxLength: 6 }, 'text..'],
    [{ type: 'string', format: 'date' }, '2026-01-31'],
    [{ type: 'string', examples: ['./data'] }, './data'],
    [{ type: ['null', 'boolean'] }, true],
    [{ anyOf: [{ type: 'array', minItems: 2, items: { const: 7 } }, { type: 'null' }] }, [7, 7]],
    [{ type: 'string', default: 'x', examples: ['y'] }, 'x'],
    [
      { type: 'object', required: ['a'], properties: { a: { type: 'string' } }, additionalProperties: false },
      { a: 'text' },
    ],
    ['{a [:any], b :map}', { a: [{}], b: {} }],
    [{ type: 'string', pattern: '^[0-9]{3}$' }, undefined],
  ])('for %j is %j', (source, example) => {
    const read = readContract(source);
    expect(exampleOf(read.ok ? read.value.schema : {})).toEqual(example);
  });

  it('is finite for a recursive contract', () => {
    const tree: Schema = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          required: ['left', 'right'],
          properties: {
            left: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
            right: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
          },
        },
      },
    };
    const example = exampleOf(tree);
    expect(example === undefined || contractOf(tree).check(example).ok).toBe(true);
  });

  it('fits its contract if one is found', () => {
    let found = 0;
    fc.assert(
      fc.property(
        typed.chain(({ schema }) => near(schema)),
        (schema) => {
          if (!readContract(schema).ok) return;
          const example = exampleOf(schema);
          if (example === undefined) return;
          found += 1;
          expect(contractOf(schema).check(example)).toMatchObject({ ok: true, value: example });
        },
      ),
      { numRuns: 300 },
    );
    expect(found).toBeGreaterThan(200);
  });
});
