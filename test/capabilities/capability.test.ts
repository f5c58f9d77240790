// Defining a capability: its declaration, its types, and what is wrong with it.
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { callCapability } from '../../src/capabilities/call.ts';
import { type Capability, defineCapability, isCapability } from '../../src/capabilities/capability.ts';
import type { FromContract } from '../../src/capabilities/from-contract.ts';
import { contextIn } from './workbench.ts';

async function called(capability: Capability, input: Json): Promise<Json | undefined> {
  const answer = await callCapability(capability, input, contextIn('.'));
  return answer.ok ? answer.value : undefined;
}

describe('defineCapability', () => {
  test('compiles signatures to JSON Schema and fills in defaults', () => {
    const capability = defineCapability({
      name: 'orders.count',
      description: 'Count orders.',
      input: '{folder :string, limit :int?}',
      output: { type: 'integer' },
      effects: ['read'],
      run: () => 1,
    });
    expect(capability.issues).toEqual([]);
    expect(capability.declaration).toMatchObject({
      name: 'orders.count',
      input: { type: 'object', required: ['folder'], properties: { folder: { type: 'string' } } },
      output: { type: 'integer' },
      effects: ['read'],
      tags: [],
      cost: {},
    });
    expect(capability.declaration).not.toHaveProperty('repeat');
  });

  test('lets a handler return a question instead of its result', async () => {
    const capability = defineCapability({
      name: 'orders.count',
      description: 'Count the orders of a year.',
      input: '{year :int?}',
      output: { type: 'integer' },
      effects: ['read'],
      run: ({ year }, ctx) => year ?? ctx.clarify('Which year?', ':int', 'year'),
    });
    expect(await called(capability, {})).toEqual({
      needs_clarification: { question: 'Which year?', answer: ':int', as: 'year' },
    });
    expect(await called(capability, { year: 1904 })).toBe(1904);
  });

  test('collects issues instead of throwing', () => {
    const { issues } = defineCapability({
      name: 'Orders Count',
      description: '',
      input: { type: 'object', propertys: {} },
      output: '{total :flaot}',
      effects: [],
      run: () => ({ total: 1 }),
    });
    expect(issues.map(({ code, path }) => [code, path[0]])).toEqual([
      ['CAPABILITY_NAME_INVALID', 'name'],
      ['CONTRACT_KEYWORD_UNSUPPORTED', 'input'],
      [expect.stringMatching(/^(CONTRACT|SIGNATURE)_/), 'output'],
    ]);
    expect(issues[1]?.message).toContain('input of capability "Orders Count"');
  });

  test('makes the only values that `isCapability` accepts', () => {
    const capability = defineCapability({ name: 'a.b', description: '', effects: [], run: () => null });
    expect(isCapability(capability)).toBe(true);
    expect([null, {}, 'a.b', () => {}, { declaration: capability.declaration }].some(isCapability)).toBe(false);
  });
});

describe('the types of run', () => {
  test('follow from a literal JSON Schema', () => {
    defineCapability({
      name: 'a.b',
      description: '',
      input: {
        type: 'object',
        required: ['path', 'kind'],
        properties: {
          path: { type: 'string' },
          limit: { type: 'integer' },
          kind: { enum: ['a', 'b'] },
          rows: { type: 'array', items: { type: ['number', 'null'] } },
          extra: { anyOf: [{ type: 'boolean' }, { const: 7 }] },
          any: {},
        },
      },
      output: { type: 'object', additionalProperties: { type: 'number' } },
      effects: [],
      run(input) {
        expectTypeOf(input.path).toEqualTypeOf<string>();
        expectTypeOf(input.limit).toEqualTypeOf<number | undefined>();
        expectTypeOf(input.kind).toEqualTypeOf<'a' | 'b'>();
        expectTypeOf(input.rows).toEqualTypeOf<readonly (number | null)[] | undefined>();
        expectTypeOf(input.extra).toEqualTypeOf<boolean | 7 | undefined>();
        expectTypeOf(input.any).toEqualTypeOf<Json | undefined>();
        return { a: 1 };
      },
    });
  });

  test('follow from a flat signature, and are Json for nested parts', () => {
    expectTypeOf<FromContract<'{path :string, limit :int?}'>>().toEqualTypeOf<{
      readonly path: string;
      readonly limit?: number;
    }>();
    expectTypeOf<FromContract<'{rows [{a :int}]}'>>().toEqualTypeOf<Json>();
  });

  test('refuse a result that breaks the output contract', () => {
    defineCapability({
      name: 'a.b',
      description: '',
      output: { type: 'object', required: ['n'], properties: { n: { type: 'number' } } },
      effects: [],
      // @ts-expect-error a string is no number
      run: () => ({ n: 'one' }),
    });
  });
});
