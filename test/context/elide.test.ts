// What a contract or a step hides is named where it stood, and shown nowhere.
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { StepRecord } from '../../src/context/request.ts';
import { showable } from '../../src/context/shrink.ts';

function shown(result: Json, settings: { schema?: JsonObject; elide?: string[] }): Json | undefined {
  const record: StepRecord = { id: 's', name: 's', attempt: 1, status: 'completed', result, ...settings };
  return showable(record);
}

const secret = 'hidden from everybody';

describe('a field to be elided', () => {
  it('by the contract is named, also within lists, references and unions', () => {
    const schema = {
      $defs: { row: { anyOf: [{ type: 'object', properties: { raw: { 'x-elide': true } } }, { type: 'null' }] } },
      properties: { rows: { items: { $ref: '#/$defs/row' } } },
    };
    expect(shown({ rows: [{ raw: secret, id: 1 }, null] }, { schema })).toEqual({
      rows: [{ raw: '$elided', id: 1 }, null],
    });
  });

  it('by the step is named at any depth', () => {
    expect(shown({ a: { raw: [secret, secret] } }, { elide: ['raw'] })).toEqual({ a: { raw: '$elided' } });
  });

  it('is hidden when it is sensitive', () => {
    const schema = { properties: { iban: { 'x-sensitive': true } } };
    expect(shown({ iban: secret, name: 'n' }, { schema })).toEqual({ iban: '$elided', name: 'n' });
  });

  it('goes altogether where the mark would be longer than the value', () => {
    expect(shown({ raw: 1, id: 2 }, { elide: ['raw'] })).toEqual({ id: 2 });
  });

  it('leaves a value that has none of it untouched', () => {
    const value = { a: [1, { b: 2 }] };
    expect(shown(value, { elide: ['raw'] })).toBe(value);
  });
});
