// Elided fields keep their name and never show their value.
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { StepRecord } from '../../src/context/request.ts';
import { showable } from '../../src/context/shrink.ts';

function shown(result: Json, settings: { schema?: JsonObject; elide?: string[] }): Json | undefined {
  const record: StepRecord = { id: 's', name: 's', attempt: 1, status: 'completed', result, ...settings };
  return showable(record);
}

const secret = 'hidden from everybody';

describe('an elided field', () => {
  it('keeps its name when the contract elides it, also in lists, references and unions', () => {
    const schema = {
      $defs: { row: { anyOf: [{ type: 'object', properties: { raw: { 'x-elide': true } } }, { type: 'null' }] } },
      properties: { rows: { items: { $ref: '#/$defs/row' } } },
    };
    expect(shown({ rows: [{ raw: secret, id: 1 }, null] }, { schema })).toEqual({
      rows: [{ raw: '$elided', id: 1 }, null],
    });
  });

  it('keeps its name at any depth when the step elides it', () => {
    expect(shown({ a: { raw: [secret, secret] } }, { elide: ['raw'] })).toEqual({ a: { raw: '$elided' } });
  });

  it('is hidden when it is sensitive', () => {
    const schema = { properties: { iban: { 'x-sensitive': true } } };
    expect(shown({ iban: secret, name: 'n' }, { schema })).toEqual({ iban: '$elided', name: 'n' });
  });

  it('is dropped when the mark would be longer than the value', () => {
    expect(shown({ raw: 1, id: 2 }, { elide: ['raw'] })).toEqual({ id: 2 });
  });

  it('leaves a value without such a field untouched', () => {
    const value = { a: [1, { b: 2 }] };
    expect(shown(value, { elide: ['raw'] })).toBe(value);
  });
});
