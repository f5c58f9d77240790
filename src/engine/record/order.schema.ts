// The orders that people give to a run from outside.
import {
  anyOf,
  count,
  json,
  loosely,
  map,
  only,
  optional,
  plain,
  type Static,
  text,
} from '../../base/builders.schema.ts';
import { type Limit, limitable } from '../../budget/amount.ts';
import { orderKeys } from './event-parts.schema.ts';
import { grant, verdict } from './gate-events.schema.ts';

/** The limits of a raise: the event that reports it carries the same. */
export const raiseKeys = {
  account: text('The account whose limits are raised: `run`, or the id of a step with a budget of its own.'),
  limit: loosely<Limit>(
    'Limit',
    map(Object.fromEntries(limitable.map((resource) => [resource, optional(count())]))),
    'The new limits by resource; cost in micro-dollars. Other limits stay.',
  ),
  wallClock: optional(count('The new wall clock; milliseconds.')),
  planningDepth: optional(count('The new depth to which planning may nest.')),
};

const orders = {
  cancel: map({ type: only('cancel'), ...orderKeys }, 'Cancels the run.'),
  pause: map({ type: only('pause'), ...orderKeys }, 'Pauses the run: it starts nothing new.'),
  resume: map({ type: only('resume'), ...orderKeys }, 'Lets a paused run go on.'),
  review: map(
    {
      type: only('review'),
      gate: text("The gate's id."),
      verdict,
      value: optional(json('The answer, or the edited plan as a planner would write it.')),
      grant: optional(grant),
      ...orderKeys,
    },
    'Answers a gate.',
  ),
  'resolve-step': map(
    { type: only('resolve-step'), step: text("The step's id."), value: json('The result.'), ...orderKeys },
    'Supplies the result of a step by hand.',
  ),
  'retry-step': map(
    { type: only('retry-step'), step: text("The step's id."), ...orderKeys },
    'Lets a held, retrying or running step begin again.',
  ),
  'raise-budget': map({ type: only('raise-budget'), ...raiseKeys, ...orderKeys }, 'Raises limits.'),
};

export const runOrder = anyOf(
  [
    orders.cancel,
    orders.pause,
    orders.resume,
    orders.review,
    orders['resolve-step'],
    orders['retry-step'],
    orders['raise-budget'],
  ],
  'An order to a run from outside, with its author and the reason for it.',
);
export type RunOrder = Static<typeof runOrder>;

/** JSON Schema of each order as an inbox keeps it: the author and the reason stand beside it, and later versions may add keys. */
export const storedOrders = Object.fromEntries(
  Object.entries(orders).map(([type, order]) => {
    const { additionalProperties: _, required, properties, ...rest } = plain(order);
    const beside = Object.keys(orderKeys);
    const keys = Object.entries(properties ?? {}).filter(([key]) => !beside.includes(key));
    return [
      type,
      {
        ...rest,
        required: (required as readonly string[]).filter((key) => !beside.includes(key)),
        properties: Object.fromEntries(keys),
      },
    ];
  }),
);
