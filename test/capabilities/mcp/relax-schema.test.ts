// Contracts made of servers' schemas: never stricter than the schema, whatever stands in it.
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { relaxSchema } from '../../../src/capabilities/mcp/relax-schema.ts';
import { contractOf } from '../../../src/contract/contract.ts';
import { schemaIssues } from '../../../src/contract/keywords.ts';

const relaxed = (schema: Json) => relaxSchema(schema, { type: 'object' });

describe('the contract of a tool', () => {
  it('keeps all keywords of an older dialect', () => {
    const { schema, leftOut } = relaxed({
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://example.org/tool',
      type: 'object',
      properties: { a: { $ref: '#/definitions/pair' }, definitions: { type: 'string' } },
      definitions: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false } },
    });
    expect(leftOut).toEqual([]);
    expect(schema).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/$defs/pair' }, definitions: { type: 'string' } },
      $defs: { pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false } },
    });
  });

  it.each<[what: string, schema: JsonObject, leftOut: readonly string[], value: Json]>([
    [
      'names by pattern',
      { patternProperties: { '^x': {} }, additionalProperties: false },
      ['patternProperties'],
      { x1: 1 },
    ],
    ['conditions', { if: {}, else: {} }, ['if', 'else'], {}],
    ['a pattern that is no RE2', { properties: { a: { pattern: '(?=b)' } } }, ['properties.a.pattern'], { a: 'c' }],
    ['a format that nobody knows', { properties: { a: { format: 'colour' } } }, ['properties.a.format'], { a: 'red' }],
    ['a reference elsewhere', { properties: { a: { $ref: 'other.json' } } }, ['properties.a.$ref'], { a: 1 }],
    ['a property that is no schema', { properties: { a: 7 }, additionalProperties: false }, ['properties.a'], { a: 1 }],
    ['properties that are no map', { properties: [], additionalProperties: false }, ['properties'], { a: 1 }],
    ['an alternative that is no schema', { anyOf: [{ required: ['a'] }, 7] }, ['anyOf'], {}],
    ['what must not be, in unknown words', { not: { if: {}, required: ['b'] } }, ['not'], { b: 1 }],
    ['what contains what', { properties: { a: { contains: { const: 1 } } } }, ['properties.a.contains'], { a: [] }],
    ['an empty range', { properties: { a: { minimum: 3, maximum: 1 } } }, ['properties.a.minimum'], { a: 0 }],
    [
      'old bounds',
      { properties: { a: { minimum: 3, exclusiveMinimum: true } } },
      ['properties.a.exclusiveMinimum'],
      { a: 3 },
    ],
  ])('does without %s', (_, schema, leftOut, value) => {
    const made = relaxed(schema);
    expect(made.leftOut).toEqual(leftOut);
    expect(contractOf(made.schema).check(value)).toMatchObject({ ok: true });
  });

  it('accepts any map when the schema cannot be converted', () => {
    for (const schema of [7, [], true, { $ref: '#' }, { type: 'object', description: 'x'.repeat(300_000) }]) {
      expect(relaxed(schema)).toEqual({ schema: { type: 'object' }, leftOut: ['all of it'] });
    }
  });

  it('compiles for any schema, and is never stricter than the schema', () => {
    const judge = new Ajv({ strict: false, logger: false, validateFormats: false });
    const scalar = fc.constantFrom<Json>(null, true, 0, 3, 'a', 'b');
    const keyword = fc.letrec<{ schema: JsonObject; value: Json }>((tie) => ({
      schema: fc.dictionary(
        fc.constantFrom(
          ...['type', 'properties', 'required', 'items', 'anyOf', 'oneOf', 'not', 'additionalProperties', 'enum'],
          ...['minimum', 'exclusiveMinimum', 'patternProperties', 'if', 'then', '$ref', 'const', 'contains', 'x-keep'],
        ),
        tie('value'),
        { maxKeys: 4 },
      ) as fc.Arbitrary<JsonObject>,
      value: fc.oneof(
        { maxDepth: 3 },
        scalar,
        fc.constantFrom<Json>('object', 'array', 'string', '#', '#/definitions/a', ['a'], ['object', 'null']),
        tie('schema'),
        fc.dictionary(fc.constantFrom('a', 'b', 'properties', 'not'), tie('schema'), {
          maxKeys: 2,
        }) as fc.Arbitrary<Json>,
        fc.array(tie('schema'), { maxLength: 2 }) as fc.Arbitrary<Json>,
      ),
    })).schema;
    const values: readonly Json[] = [{}, { a: 1 }, { a: 'a', b: null }, { a: { b: [] } }, { not: 3 }, { a: [1, 'b'] }];
    let judged = 0;
    fc.assert(
      fc.property(keyword, (schema) => {
        const made = relaxed(schema).schema;
        expect(schemaIssues(made).filter(({ severity }) => severity === 'error')).toEqual([]);
        const accepts = acceptanceOf(judge, schema);
        for (const value of values) {
          if (accepts?.(value) !== true) continue;
          judged += 1;
          expect(contractOf(made).check(value)).toMatchObject({ ok: true });
        }
      }),
      { numRuns: 1_000 },
    );
    expect(judged).toBeGreaterThan(100);
  });
});

/** Undefined where the schema is none that Ajv knows. */
function acceptanceOf(judge: Ajv, schema: JsonObject): ((value: Json) => boolean) | undefined {
  try {
    const validate = judge.compile(schema);
    return (value) => validate(value) === true;
  } catch {
    return undefined;
  }
}
