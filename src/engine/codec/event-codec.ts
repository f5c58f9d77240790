// Events as the journal stores them: a small integer for the type, and JSON of the fields that differ from the usual ones.

import { Fault } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import type { Event, EventType, Recorded } from '../record/event.schema.ts';
import { type FormerEvent, formerEvents, type Upcast } from './upcasts.ts';
import { omitUsual, restoreUsual } from './usual-fields.ts';

/** A number never changes its meaning: a new type gets the next number, and a type whose meaning changes goes to `formerEvents`. */
const codes: Readonly<Record<EventType, number>> = {
  'run.started': 1,
  'run.attached': 2,
  'run.paused': 3,
  'run.resumed': 4,
  'run.cancelling': 5,
  'run.ended': 6,
  'attempt.started': 7,
  'attempt.lost': 8,
  'attempt.failed': 9,
  'verification.failed': 10,
  'step.completed': 11,
  'step.failed': 12,
  'step.skipped': 13,
  'steps.cancelled': 14,
  'plan.requested': 15,
  'plan.proposed': 16,
  'fragment.rejected': 17,
  'fragment.grafted': 18,
  'convergence.judged': 19,
  'budget.warned': 20,
  'budget.exhausted': 21,
  'step.adopted': 22,
  'step.resolved': 23,
  'step.retried': 24,
  'steps.superseded': 25,
  'fan_out.expanded': 26,
  'gate.opened': 27,
  'gate.decided': 28,
  'gate.expired': 29,
  'step.held': 30,
  'steps.released': 31,
  'replan.started': 32,
  'budget.raised': 33,
  'needs.asked': 34,
  'call.started': 35,
  'call.ended': 36,
  'capability.registered': 37,
  'run.forked': 38,
  'attempt.resumed': 39,
  'lock.differed': 40,
};

const ONE_CALL: JsonObject = Object.freeze({ tool_calls: 1 });

/** The fields that the events of nearly every step share. They never change, like the numbers. */
const usual: Readonly<Record<string, JsonObject>> = {
  'attempt.started': { attempt: 1, reserved: ONE_CALL },
  'step.completed': { bill: ONE_CALL },
} satisfies Partial<Record<EventType, JsonObject>>;

/** The fields that are not stored, by number; the type is always one of them. */
const unsaid: ReadonlyMap<number, JsonObject> = new Map(
  Object.entries(codes).map(([type, code]) => [code, { type, ...usual[type] }]),
);

export interface EncodedEvent {
  readonly version: number;
  readonly type: number;
  readonly at: Instant;
  readonly cause: number;
  readonly payload: string;
}

export function encode({ version, at, cause, event }: Recorded): EncodedEvent {
  const type = codes[event.type];
  return { version, type, at, cause, payload: JSON.stringify(omitUsual(event, unsaid.get(type) ?? {})) };
}

/** Throws a fault on a type that this version does not know; a store of a later version is refused before. */
export const decode = decoder(formerEvents);

export function decoder(former: readonly FormerEvent[]): (entry: EncodedEvent) => Recorded {
  const decoders = new Map<number, EventDecoder>([...unsaid].map(([code, usual]) => [code, { usual }]));
  for (const [place, each] of former.entries()) decoders.set(each.code, decoderOf(each, former.slice(place + 1)));
  return ({ version, type, at, cause, payload }) => {
    const decoder = decoders.get(type);
    if (decoder === undefined) throw new Fault(`event ${version} has the unknown type ${type}`);
    const written = restoreUsual(JSON.parse(payload) as JsonObject, decoder.usual);
    const event = decoder.upcast === undefined ? written : decoder.upcast(written);
    return { version, at, cause, event: event as unknown as Event };
  };
}

/** How the events under one number are read: the fields to put back, and the upcast to today's event. */
interface EventDecoder {
  readonly usual: JsonObject;
  readonly upcast?: Upcast;
}

function decoderOf({ type, usual, upcast }: FormerEvent, later: readonly FormerEvent[]): EventDecoder {
  const upcasts = [upcast, ...later.filter((each) => each.type === type).map((each) => each.upcast)];
  return { usual: { type, ...usual }, upcast: (written) => upcasts.reduce((event, next) => next(event), written) };
}
