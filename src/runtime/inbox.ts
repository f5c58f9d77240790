// Orders to a run from other processes: left in its inbox, and picked up by whoever drives it.
import { randomUUID } from 'node:crypto';
import { isJsonObject, type Json } from '../base/json.ts';
import type { Command } from '../engine/command.ts';
import type { InboxItem, Journal } from '../store/journal.ts';
import type { Clock } from './clock.ts';

/** What a process may order of a run that another one drives. */
export interface RunOrder {
  readonly type: 'cancel' | 'pause';
  readonly by: string;
  readonly why?: string;
}

/** Answers the idempotency key of the order. */
export function postOrder(journal: Journal, run: string, { type, by, why }: RunOrder, clock: Clock): string {
  const id = randomUUID();
  journal.post(run, { id, command: JSON.stringify({ type }), by, why: why ?? '', at: clock.now() });
  return id;
}

/** An inbox item as a command; undefined for one that this version does not know. */
export function commandOf({ command, by, why }: InboxItem, at: number): Command | undefined {
  const read = JSON.parse(command) as Json;
  const type = isJsonObject(read) ? read.type : undefined;
  if (type !== 'cancel' && type !== 'pause') return undefined;
  return { type, at, by, ...(why === '' ? {} : { why }) };
}
