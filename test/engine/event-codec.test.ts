// What the journal stores of an event says the event again.
import { expect, it } from 'vitest';
import { decode, encode } from '../../src/engine/codec/event-codec.ts';
import type { Event } from '../../src/engine/event.ts';

const started = { type: 'attempt.started', step: 's' } as const;
const completed = { type: 'step.completed', step: 's', value: { value: null } } as const;

const events: readonly (readonly [string, Event, string])[] = [
  ['the first attempt of a call', { ...started, attempt: 1, reserved: { tool_calls: 1 } }, '{"step":"s"}'],
  ['an attempt that reserves nothing', { ...started, attempt: 1 }, '{"step":"s","reserved":null}'],
  [
    'a later attempt that reserves more',
    { ...started, attempt: 2, reserved: { tool_calls: 1, llm_calls: 1 } },
    '{"step":"s","attempt":2,"reserved":{"tool_calls":1,"llm_calls":1}}',
  ],
  ['the result of a call', { ...completed, bill: { tool_calls: 1 } }, '{"step":"s","value":{"value":null}}'],
  ['the result of an expression', completed, '{"step":"s","value":{"value":null},"bill":null}'],
  [
    'a field that is named like a function of every object',
    { type: 'run.attached', by: 'constructor' },
    '{"by":"constructor"}',
  ],
];

it.each(events)('stores no more than what is not usual of %s', (_what, event, payload) => {
  const recorded = { version: 3, at: 5, cause: 2, event };
  const encoded = encode(recorded);
  expect(encoded.payload).toBe(payload);
  expect(decode(encoded)).toEqual(recorded);
  expect(Object.keys(decode(encoded).event).toSorted()).toEqual(Object.keys(event).toSorted());
});

it('faults on a type that it does not know', () => {
  expect(() => decode({ version: 1, type: 9_999, at: 0, cause: 0, payload: '{}' })).toThrow(/unknown type 9999/);
});
