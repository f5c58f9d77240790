// Orders to a run from outside: left in its inbox by other processes, and picked up by whoever drives it.
import { randomUUID } from 'node:crypto';
import type { Issue } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { limitable } from '../../budget/amount.ts';
import { contractOf } from '../../contract/contract.ts';
import type { Command, CommandOf } from '../../engine/record/command.ts';
import type { Order } from '../../engine/record/event-parts.schema.ts';
import type { Verdict } from '../../engine/record/gate-events.schema.ts';
import type { InboxItem, Journal } from '../../store/journal.ts';
import type { Clock } from '../ports/clock.ts';

type Untimed<T> = T extends unknown ? Omit<T, 'at'> : never;

/** What may be ordered of a run from outside: by whom, and why. */
export type RunOrder =
  | ({ readonly type: 'cancel' | 'pause' | 'resume' } & Order)
  | Untimed<CommandOf<'review' | 'resolve-step' | 'retry-step' | 'raise-budget'>>;

const text: JsonObject = { type: 'string' };
const count: JsonObject = { type: 'integer', minimum: 0 };
const verdicts: readonly Verdict[] = ['approve', 'reject', 'answer', 'edit'];

/** What each order carries beside who and why, as JSON Schema. */
const shapes: Readonly<Record<RunOrder['type'], JsonObject>> = {
  cancel: {},
  pause: {},
  resume: {},
  review: shape({ gate: text, verdict: { enum: verdicts } }, { grant: { enum: ['step', 'capability'] } }),
  'resolve-step': shape({ step: text, value: {} }),
  'retry-step': shape({ step: text }),
  'raise-budget': shape(
    {
      account: text,
      limit: { type: 'object', propertyNames: { enum: limitable }, additionalProperties: count },
    },
    { wallClock: count, planningDepth: count },
  ),
};

function shape(required: JsonObject, optional: JsonObject = {}): JsonObject {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

/** Answers the idempotency key of the order. */
export function postOrder(journal: Journal, run: string, { by, why = '', ...order }: RunOrder, clock: Clock): string {
  const id = randomUUID();
  journal.post(run, { id, command: JSON.stringify(order), by, why, at: clock.now() });
  return id;
}

/** An inbox item as a command; undefined for one that this version does not know. */
export function commandOf({ command, by, why }: InboxItem, at: number): Command | undefined {
  const read = JSON.parse(command) as Json;
  const type = ownProperty(read, 'type');
  if (!isJsonObject(read) || typeof type !== 'string' || !Object.hasOwn(shapes, type)) return undefined;
  const checked = contractOf(shapes[type as RunOrder['type']]).check(read);
  if (!checked.ok) return undefined;
  return { ...(checked.value as object), at, by, ...(why === '' ? {} : { why }) } as Command;
}

/** What whoever posted an order is answered. */
export function answerText(refused: Issue | undefined): string {
  return refused === undefined ? '' : JSON.stringify(refused);
}

export function readAnswer(answer: string): Result<void> {
  return answer === '' ? good(undefined) : bad([JSON.parse(answer) as Issue]);
}
