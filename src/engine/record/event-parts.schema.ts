// The parts that many events share: values, amounts, limits that were met, and who gave an order.

import {
  count,
  eitherOf,
  json,
  list,
  loosely,
  map,
  oneOf,
  only,
  optional,
  reference,
  type Schema,
  type SchemasByKey,
  type Static,
  text,
} from '../../base/builders.schema.ts';
import { failure as failureOf } from '../../base/issue.schema.ts';
import { type Amount, type LimitedResource, limitable, resources } from '../../budget/amount.ts';
import type { Exhaustible } from '../../budget/limits.ts';

export const step = text("The step's id.");
export const steps = list(text(), 'The ids of the steps.');
export const attempt = count("The attempt's number; counts from 1.");
export const gate = text("The gate's id: g1, g2, …");

export const keptSchema = eitherOf(
  [
    map({ value: json('The value.') }),
    map({ digest: text('The digest of its JSON.'), bytes: count('The length of its JSON.') }),
  ],
  'A value: in place when it is small, by digest of its JSON when it is large.',
);
export type StoredValue = Static<typeof keptSchema>;
export const kept = reference<StoredValue>('StoredValue', 'kept');

export const amountSchema = loosely<Amount>(
  'Amount',
  map(Object.fromEntries(resources.map((resource) => [resource, optional(count())]))),
  'Whole numbers by resource; cost in micro-dollars.',
);
export const amount = reference<Amount>('Amount', 'amount');

export const bill = optional(amount('The amount that was used.'));
export const failure = failureOf('The reason.');

export const orderKeys = {
  by: text('The person or program that gave the order.'),
  why: optional(text('The reason for the order.')),
};
export const order = map(orderKeys, 'The author of an order from outside, and the reason for it.');
export type Order = Static<typeof order>;

export const resource: Schema<LimitedResource | 'time'> = oneOf([...limitable, 'time'], 'The resource.');

export const exhaustionKeys = {
  account: text('The account whose limit was met.'),
  resource: oneOf<Exhaustible>(
    [...limitable, 'time', 'planning_depth'],
    'The resource; time counts milliseconds, cost micro-dollars, planning_depth levels of nested planning.',
  ),
  limit: count('The limit.'),
  spent: count('The amount that is used.'),
  reserved: count('The amount that is set aside.'),
  landing: count('The amount that the landing set keeps.'),
  key: text('The place where the limit is written: `budget.max_total_steps`, or the path of a step and a key.'),
  asked: optional(count('The amount that a plan needed beyond what was used, when a plan met the limit.')),
};
export const exhaustionSchema = map(exhaustionKeys, 'A limit that was met.');
export type Exhaustion = Static<typeof exhaustionSchema>;
export const exhaustion = reference<Exhaustion>('Exhaustion', 'exhaustion');

/** An event of this type: `says` is the sentence that tells when it is written. */
export const event = <const N extends string, P extends SchemasByKey>(type: N, says: string, keys: P) =>
  map({ type: only(type), ...keys }, says);
