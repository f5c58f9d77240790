// Schemas for servers that generate under a grammar.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { catalog } from '../../src/capabilities/catalog/catalog.ts';
import { exampleOf } from '../../src/contract/example.ts';
import { grammarSchema } from '../../src/contract/grammar-schema.ts';

const input = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const property = (schema: JsonObject, alternative?: JsonObject): unknown => {
  const { properties } = grammarSchema(input({ it: schema }), alternative) as { properties: { it: unknown } };
  return properties.it;
};

describe('a schema for a grammar', () => {
  it('keeps names, types, choices and whole bounds, and drops what a grammar cannot count', () => {
    const text = { type: 'string', format: 'uri', pattern: 'example', description: 'An address.' };
    const contract = input({ url: text, size: { type: 'integer', minimum: 1, multipleOf: 2 }, kind: { const: 'a' } }, [
      'url',
    ]);
    expect(grammarSchema(contract)).toEqual({
      type: 'object',
      properties: { url: { type: 'string' }, size: { type: 'integer', minimum: 1 }, kind: { enum: ['a'] } },
      required: ['url'],
      additionalProperties: false,
    });
  });

  it('takes any object for a contract without fields', () => {
    expect(grammarSchema({})).toEqual({ type: 'object' });
    expect(grammarSchema({ type: 'object', additionalProperties: { type: 'integer' } })).toEqual({ type: 'object' });
  });

  it('offers the alternative for every value that is no text', () => {
    const other = { $ref: '#/$defs/other' };
    expect(property({ type: 'string' }, other)).toEqual({ type: 'string' });
    expect(property({ type: 'integer' }, other)).toEqual({ anyOf: [{ type: 'integer' }, other] });
    expect(property({ enum: ['a', 'b'] }, other)).toEqual({ anyOf: [{ enum: ['a', 'b'] }, other] });
    expect(property({ type: 'array', items: { type: 'boolean' }, maxItems: 3 }, other)).toEqual({
      anyOf: [{ type: 'array', items: { anyOf: [{ type: 'boolean' }, other] }, maxItems: 3 }, other],
    });
  });

  it('follows references and unions, and ends in schemas that contain themselves', () => {
    const tree = { ...input({ label: { type: 'string' }, next: { $ref: '#' } }), $defs: { size: { type: 'integer' } } };
    expect(JSON.stringify(grammarSchema(tree)).match(/"label"/g)).toHaveLength(5);
    const contract = { ...input({ a: { anyOf: [{ $ref: '#/$defs/size' }, { type: 'null' }] } }), $defs: tree.$defs };
    expect(grammarSchema(contract)).toMatchObject({
      properties: { a: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
    });
    expect(property({ anyOf: [{ type: 'string' }, {}] })).toEqual({});
  });

  it('takes an example input of every built-in capability', () => {
    const examples = catalog.flatMap(({ declaration: { name, input: contract } }) => {
      const example = contract === undefined ? undefined : exampleOf(contract);
      return example === undefined || contract === undefined ? [] : [{ name, contract, example }];
    });
    expect(examples.length).toBeGreaterThan(20);
    for (const { name, contract, example } of examples) {
      const isTaken = new Ajv2020({ strict: false, meta: false }).validate(grammarSchema(contract), example);
      expect(isTaken, name).toBe(true);
    }
  });
});
