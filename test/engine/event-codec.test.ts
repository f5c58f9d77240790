// Stored events decode to the events that were encoded.
import { describe, expect, it } from 'vitest';
import { decode, decoder, encode } from '../../src/engine/codec/event-codec.ts';
import { type FormerEvent, formerEvents } from '../../src/engine/codec/upcasts.ts';
import { type Event, eventSchema, type Recorded } from '../../src/engine/record/event.schema.ts';

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

it.each(events)('stores only the unusual fields of %s', (_what, event, payload) => {
  const recorded = { version: 3, at: 5, cause: 2, event };
  const encoded = encode(recorded);
  expect(encoded.payload).toBe(payload);
  expect(decode(encoded)).toEqual(recorded);
  expect(Object.keys(decode(encoded).event).toSorted()).toEqual(Object.keys(event).toSorted());
});

it('a type that this version does not know is a fault', () => {
  expect(() => decode({ version: 1, type: 9_999, at: 0, cause: 0, payload: '{}' })).toThrow(/unknown type 9999/);
});

describe('an event type that changed its meaning', () => {
  /**
   * In the first version the value was called `result`; in the second it was not wrapped, and a bill of two calls was
   * usual.
   */
  const former: readonly FormerEvent[] = [
    {
      type: 'step.completed',
      code: 901,
      usual: {},
      upcast: ({ result = null, ...rest }) => ({ ...rest, value: result }),
    },
    { type: 'run.attached', code: 903, usual: {}, upcast: (event) => ({ ...event, by: 'nobody' }) },
    {
      ...{ type: 'step.completed', code: 902, usual: { bill: { tool_calls: 2 } } },
      upcast: ({ value = null, ...rest }) => ({ ...rest, value: { value } }),
    },
  ];
  const read = (type: number, payload: string) => decoder(former)({ version: 1, type, at: 0, cause: 0, payload }).event;

  it('is upgraded version by version, with the usual fields of the version that wrote it', () => {
    expect(read(901, '{"step":"s","result":7}')).toEqual({ type: 'step.completed', step: 's', value: { value: 7 } });
    expect(read(902, '{"step":"s","value":7}')).toEqual({
      ...{ type: 'step.completed', step: 's', value: { value: 7 } },
      bill: { tool_calls: 2 },
    });
    expect(read(903, '{}')).toEqual({ type: 'run.attached', by: 'nobody' });
  });

  it('leaves events of this version unchanged', () => {
    const recorded = { version: 1, at: 0, cause: 0, event: { ...completed, bill: { tool_calls: 1 } } };
    expect(decoder(former)(encode(recorded))).toEqual(recorded);
  });

  it('never shares its number with another type', () => {
    const shapes = eventSchema.oneOf as readonly {
      readonly properties: { readonly type: { readonly const: string } };
    }[];
    const types = shapes.map(({ properties }) => properties.type.const);
    const written = new Set(types.map((type) => encode(blankOf(type)).type));
    const codes = formerEvents.map(({ code }) => code);
    expect(new Set([...written, ...codes]).size).toBe(types.length + codes.length);
  });
});

function blankOf(type: string): Recorded {
  return { version: 1, at: 0, cause: 0, event: { type } as unknown as Event };
}
