// Signatures compile to schemas.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readContract } from '../../src/contract/contract.ts';
import { readSignature, readTypeSignature } from '../../src/contract/signature.ts';

const text = { type: 'string' };

describe('signatures', () => {
  it('have an input with exactly the named arguments and an output with at least the named fields', () => {
    expect(readSignature('(symbol :string, limit :int?) -> {price :float, tags [:string]}')).toMatchObject({
      ok: true,
      value: {
        input: {
          type: 'object',
          properties: { symbol: text, limit: { type: 'integer' } },
          required: ['symbol'],
          additionalProperties: false,
        },
        output: {
          type: 'object',
          properties: { price: { type: 'number' }, tags: { type: 'array', items: text } },
          required: ['price', 'tags'],
        },
      },
    });
  });

  it.each([
    [':string', text],
    [':datetime', { type: 'string', format: 'date-time' }],
    [':any', {}],
    ['[:int]', { type: 'array', items: { type: 'integer' } }],
    ['[:int?]', { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }],
    [':"a"|:"b c"', { type: 'string', enum: ['a', 'b c'] }],
    ['{}', { type: 'object', properties: {} }],
    ['{rows :int,}', { type: 'object', properties: { rows: { type: 'integer' } }, required: ['rows'] }],
    ['(a :string) -> :bool', { type: 'boolean' }],
    ['{a, b?}', { type: 'object', properties: { a: text, b: text }, required: ['a'] }],
    ['{* :int}', { type: 'object', additionalProperties: { type: 'integer' } }],
    [':int|[:string]|:null', { anyOf: [{ type: 'integer' }, { type: 'array', items: text }, { type: 'null' }] }],
    [':"a"|:"b"|:null', { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] }],
    ['{"x y" :int}', { properties: { 'x y': { type: 'integer' } }, required: ['x y'] }],
    [':"a\\"b\\u003c"', { enum: ['a"b<'] }],
  ])('%s', (signature, schema) => {
    expect(readTypeSignature(signature)).toMatchObject({ ok: true, value: schema });
  });

  it.each([
    ['{a :strng}', 'character 4', 'did you mean ":string"?'],
    ['{a :string', 'character 11', undefined],
    ['{a :string a :int}', 'character 12', undefined],
    ['{a :string, a :int}', 'character 13', '"a" is already declared'],
    ['[:string', 'character 9', 'a list has one type, as in [:string]'],
    ['', 'character 1', 'types are :string, [:string], {name :string} or :"a"|:"b"'],
    [':int :int', 'character 6', undefined],
    ['(a :int) ->', 'character 12', 'types are :string, [:string], {name :string} or :"a"|:"b"'],
    ['['.repeat(99), 'character 34', undefined],
  ])('%j cannot be read', (signature, where, hint) => {
    const read = readTypeSignature(signature);
    expect(read.ok).toBe(false);
    if (read.ok) return;
    expect(read.error).toHaveLength(1);
    expect(read.error[0]).toMatchObject({
      code: 'SIGNATURE_SYNTAX',
      message: expect.stringContaining(`at ${where}:`),
      ...(hint === undefined ? {} : { hint }),
    });
  });

  it('allow further arguments after three dots', () => {
    expect(readSignature('(a, ...) -> :any')).toMatchObject({ ok: true, value: { input: { required: ['a'] } } });
    const read = readSignature('(a, ...) -> :any');
    expect(read.ok && read.value.input).not.toHaveProperty('additionalProperties');
  });

  it('need an input and an output', () => {
    expect(readSignature('{a :int}')).toMatchObject({ ok: false, error: [{ code: 'SIGNATURE_SYNTAX' }] });
  });

  it('are read or refused for any text, and give valid schemas', () => {
    const pieces = fc
      .array(
        fc.constantFrom(
          ...[
            '(',
            ')',
            '{',
            '}',
            '[',
            ']',
            ':int',
            ':"a"',
            '|',
            '?',
            ',',
            '->',
            'a',
            'b',
            ' ',
            '@',
            '*',
            '...',
            '"c d"',
          ],
        ),
      )
      .map((all) => all.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.string(), pieces), (signature) => {
        const read = readTypeSignature(signature);
        return read.ok ? readContract(read.value).ok : read.error.length === 1;
      }),
      { numRuns: 1_000 },
    );
  });
});
