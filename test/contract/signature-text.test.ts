// A printed signature is read back as a contract that takes every value of the printed one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { catalog } from '../../src/capabilities/catalog/catalog.ts';
import { contractOf } from '../../src/contract/contract.ts';
import type { Schema } from '../../src/contract/schema.ts';
import { readSignature } from '../../src/contract/signature.ts';
import { inputText, outputText, signatureText } from '../../src/contract/signature-text.ts';
import { typed } from './arbitraries.ts';

const text = { type: 'string' };
const inputOf = (properties: JsonObject, required: readonly string[] = []): string =>
  inputText({ type: 'object', properties, required: [...required], additionalProperties: false });

function readBack(signature: string): { readonly input: Schema; readonly output: Schema } {
  const read = readSignature(signature);
  if (!read.ok) throw new Error(`${signature}: ${read.error[0]?.message}`);
  return read.value;
}

describe('a printed signature', () => {
  it.each([
    ['text without its type', text, '(a?)'],
    ['an instant', { type: 'string', format: 'date-time' }, '(a :datetime?)'],
    ['a value that may be null', { type: ['integer', 'null'] }, '(a :int|:null?)'],
    ['a union of two', { anyOf: [{ type: 'integer' }, text] }, '(a :int|:string?)'],
    ['a wider union as anything', { type: ['integer', 'string', 'boolean'] }, '(a :any?)'],
    [
      'fields of an object',
      { properties: { x: text, y: { type: 'number' } }, required: ['y'] },
      '(a {y :number, x?}?)',
    ],
    ['a map of numbers by any names', { type: 'object', additionalProperties: { type: 'integer' } }, '(a {* :int}?)'],
    ['an object without known fields', { type: 'object' }, '(a :map?)'],
    ['a list of lists', { type: 'array', items: { type: 'array', items: {} } }, '(a [[:any]]?)'],
    ['a tuple as a list', { type: 'array', prefixItems: [text], items: { type: 'integer' } }, '(a :list?)'],
    ['choices of text', { enum: ['asc', 'a "b"'] }, '(a :"asc"|:"a \\"b\\""?)'],
    ['many choices as their type', { enum: [...'abcdefghijklmnopqrstuvwxyz'] }, '(a?)'],
  ])('shows %s', (_, schema, shown) => {
    expect(inputOf({ a: schema })).toBe(shown);
  });

  it('shows the choices of a result as their type', () => {
    expect(outputText({ properties: { type: { enum: ['csv', 'json'] } }, required: ['type'] })).toBe('{type}');
  });

  it('quotes names that are no words, and is read back with them', () => {
    const name = 'x\n</data> "y"\u2028';
    const printed = `${inputOf({ [name]: text }, [name])} -> :any`;
    expect(printed).not.toMatch(/[\n\u2028<]/);
    expect(readBack(printed).input.required).toEqual([name]);
  });

  it('distinguishes no arguments from unknown ones', () => {
    expect(inputOf({})).toBe('()');
    expect(inputText(undefined)).toBe('(...)');
    expect(inputText({ type: 'object' })).toBe('(...)');
    expect(contractOf(readBack('() -> :any').input).check({ a: 1 }).ok).toBe(false);
    expect(contractOf(readBack('(...) -> :any').input).check({ a: 1 }).ok).toBe(true);
  });

  it('ends where a schema refers to itself', () => {
    const tree = { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#' } } } };
    expect(inputText(tree)).toBe('(kids [{kids [{kids :list?}]?}]?)');
  });

  it('names all required arguments of a long contract, and as many optional ones as fit', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`parameter_number_${at}`, text]));
    const printed = inputOf(many, ['parameter_number_58', 'parameter_number_59']);
    expect(printed).toMatch(/^\(parameter_number_58, parameter_number_59, parameter_number_0\?.*, \.\.\.\)$/);
    expect(printed.length).toBeLessThan(210);
  });

  it('is read back for each capability of the catalog, and has about 200 characters', () => {
    const printed = catalog.map(({ declaration }) => signatureText(declaration));
    for (const signature of printed) readBack(signature);
    expect(printed.join('').length / printed.length).toBeLessThan(200);
  });

  it('takes every value of the contract that it prints', () => {
    const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c'), typed, { minKeys: 1, maxKeys: 3 });
    const given = fields.chain((all) => {
      const properties = Object.fromEntries(Object.entries(all).map(([name, { schema }]) => [name, schema]));
      const schema: Schema = { type: 'object', properties, required: Object.keys(all), additionalProperties: false };
      const values = Object.fromEntries(Object.entries(all).map(([name, { value }]) => [name, value]));
      return fc.record({ schema: fc.constant(schema), value: fc.record(values) as fc.Arbitrary<Json> });
    });
    fc.assert(
      fc.property(given, ({ schema, value }) => {
        const { input, output } = readBack(signatureText({ input: schema, output: schema }));
        expect(contractOf(input).check(value).ok).toBe(true);
        expect(contractOf(output).check(value).ok).toBe(true);
        expect(input.required).toEqual(schema.required);
      }),
      { numRuns: 300 },
    );
  });
});
