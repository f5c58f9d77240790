// Looks up paths in contracts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonArray, isJsonObject, type Json } from '../../src/base/json.ts';
import { contractOf, readContract, type Schema } from '../../src/contract/contract.ts';
import { namesIn, schemaAt } from '../../src/contract/path.ts';
import { typed } from './arbitraries.ts';

const listing: Schema = {
  type: 'object',
  properties: {
    files: { type: 'array', items: { type: 'object', properties: { path: { type: 'string' } } } },
    first: { anyOf: [{ type: 'object', properties: { at: { type: 'integer' } } }, { type: 'null' }] },
    pair: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
    anything: {},
    parent: { $ref: '#' },
    step: { $ref: '#/$defs/step' },
  },
  $defs: { step: { allOf: [{ properties: { id: { type: 'string' } } }], properties: { cost: { type: 'number' } } } },
};

describe('paths in a contract', () => {
  it.each([
    ['files.0.path', { type: 'string' }],
    ['first.at', { type: 'integer' }],
    ['pair.0', { type: 'string' }],
    ['counts.whatever', { type: 'integer' }],
    ['parent.parent.pair.0', { type: 'string' }],
    ['step.id', { type: 'string' }],
    ['step.cost', { type: 'number' }],
    ['files.0.pth', 'absent'],
    ['files.path', 'absent'],
    ['pair.1', 'absent'],
    ['fils', 'absent'],
    ['constructor', 'absent'],
    ['files.0.path.deeper', 'absent'],
    ['anything.at.all', 'unknown'],
  ])('%s', (path, expected) => {
    expect(schemaAt(listing, path)).toEqual(expected);
  });

  it('lead to the whole contract when empty', () => {
    expect(schemaAt(listing, '')).toBe(listing);
  });

  it('give self-contained parts', () => {
    const part = schemaAt(listing, 'parent');
    expect(typeof part).toBe('object');
    if (typeof part === 'string') return;
    expect(readContract(part).ok).toBe(true);
    expect(contractOf(part).check({ counts: { a: 1.5 } }).ok).toBe(false);
    expect(contractOf(part).check({ parent: { counts: { a: 1 } } }).ok).toBe(true);
  });

  it('give the names one level below', () => {
    expect(
      namesIn({ anyOf: [{ properties: { a: {} } }, { $ref: '#/$defs/x' }], $defs: { x: { properties: { b: {} } } } }),
    ).toEqual(['a', 'b']);
  });

  it('give a schema that accepts the value at the path', () => {
    const children = (value: Json): ReadonlyArray<readonly [string | number, Json]> =>
      isJsonArray(value) ? [...value.entries()] : isJsonObject(value) ? Object.entries(value) : [];
    fc.assert(
      fc.property(
        typed.chain(({ schema, value }) => fc.record({ schema: fc.constant(schema), value })),
        ({ schema, value }) => {
          for (const [name, child] of children(value)) {
            const found = schemaAt(schema, [name]);
            if (typeof found !== 'string' && schema.anyOf === undefined)
              expect(contractOf(found).check(child).ok).toBe(true);
          }
        },
      ),
    );
  });
});
