// The inbox of a run: other processes leave orders in it, and the driver of the run picks them up.
import { randomUUID } from 'node:crypto';
import type { Issue } from '../../base/issue.ts';
import { defined, isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import type { Command } from '../../engine/record/command.ts';
import type { RunOrder } from '../../engine/record/order.schema.ts';
import type { InboxItem, Journal } from '../../store/journal.ts';
import type { Clock } from '../ports/clock.ts';
import { storedOrders } from './generated-stored-orders.ts';

/** Returns the idempotency key of the order. */
export function postOrder(journal: Journal, run: string, { by, why = '', ...order }: RunOrder, clock: Clock): string {
  const id = randomUUID();
  journal.post(run, { id, command: JSON.stringify(order), by, why, at: clock.now() });
  return id;
}

/** The command that an inbox item holds; undefined for an order that this version does not know. */
export function commandOf({ command, by, why }: InboxItem, at: number): Command | undefined {
  const read = parsed(command);
  const type = ownProperty(read, 'type');
  if (!isJsonObject(read) || typeof type !== 'string' || !Object.hasOwn(storedOrders, type)) return undefined;
  const checked = contractOf(storedOrders[type as RunOrder['type']]).check(read);
  if (!checked.ok) return undefined;
  return { ...(checked.value as object), at, by, ...defined({ why: why === '' ? undefined : why }) } as Command;
}

/** Null for a text that was damaged: such an order is never taken, and must not stop the driver. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The reply to an order, as the inbox keeps it: empty, or the issue that refused the order. */
export function answerText(refused: Issue | undefined): string {
  return refused === undefined ? '' : JSON.stringify(refused);
}

export function readAnswer(answer: string): Result<void> {
  return answer === '' ? good(undefined) : bad([JSON.parse(answer) as Issue]);
}
