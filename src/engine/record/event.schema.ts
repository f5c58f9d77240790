// The events of a run, described once: their types, schemas/event.schema.json and the reference of events come from here.

import { count, eitherOf, map, plain, type Static } from '../../base/builders.schema.ts';
import { failureSchema, issueSchema } from '../../base/issue.schema.ts';
import { convergenceSchema } from './convergence.schema.ts';
import { amountSchema, exhaustionSchema, keptSchema } from './event-parts.schema.ts';
import { gateEvents } from './gate-events.schema.ts';
import { planEvents } from './plan-events.schema.ts';
import { runEvents } from './run-events.schema.ts';
import { stepEvents } from './step-events.schema.ts';

/** Every event, in the order of a run's life. */
export const events = [...runEvents, ...stepEvents, ...gateEvents, ...planEvents] as const;

export const event = eitherOf(events, 'A fact in the journal of a run.');
export type Event = Static<typeof event>;
export type EventType = Event['type'];
export type EventOf<T extends EventType> = Extract<Event, { readonly type: T }>;

export const recorded = map(
  {
    version: count('The place of the event in the journal; counts from 1 without gaps.'),
    at: count('When the event was written; milliseconds since 1970.'),
    cause: count('The version of the event that led to this one; 0 for orders from outside.'),
    event,
  },
  'An event in its place in the journal.',
);
export type Recorded = Static<typeof recorded>;

/** JSON Schema 2020-12 of one event with its type. */
export const eventSchema = plain({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Reconverge event',
  ...event,
  $defs: {
    kept: keptSchema,
    amount: amountSchema,
    failure: failureSchema,
    issue: issueSchema,
    exhaustion: exhaustionSchema,
    convergence: convergenceSchema,
  },
});
