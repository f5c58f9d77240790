// Samples fit their contracts.
import { describe, expect, it } from 'vitest';
import { catalog } from '../../src/capabilities/catalog/catalog.ts';
import { contractOf } from '../../src/contract/contract.ts';
import { sampleOf } from '../../src/contract/sample.ts';

describe('a sample', () => {
  it('is the default, an example or a listed value if there is one', () => {
    expect(sampleOf({ type: 'integer', default: 10, examples: [5] })).toBe(10);
    expect(sampleOf({ type: 'string', examples: ['2026-01-01'] })).toBe('2026-01-01');
    expect(sampleOf({ enum: ['a', 'b'] })).toBe('a');
  });

  it('has the required properties, and fits the contract', () => {
    const schema = {
      type: 'object',
      required: ['id', 'tags', 'at'],
      properties: {
        id: { type: 'integer', minimum: 5 },
        tags: { type: 'array', items: { type: 'string' } },
        at: { anyOf: [{ type: 'object', required: ['x'], properties: { x: { type: 'boolean' } } }, { type: 'null' }] },
        note: { type: 'string' },
      },
    };
    expect(sampleOf(schema)).toEqual({ id: 5, tags: ['<tags>'], at: { x: true } });
    expect(contractOf(schema).check(sampleOf(schema)).ok).toBe(true);
  });

  it('is finite for recursive contracts', () => {
    const list: { type: string; items: object } = { type: 'array', items: {} };
    const deep = Array.from({ length: 40 }).reduce<object>((inner) => ({ type: 'array', items: inner }), list);
    expect(JSON.stringify(sampleOf(deep as never)).length).toBeLessThan(40);
  });

  it('fits the input types of the catalog', () => {
    for (const { declaration } of catalog) {
      const sample = sampleOf(declaration.input ?? { type: 'object' });
      expect(sample, declaration.name).toBeTypeOf('object');
    }
  });
});
