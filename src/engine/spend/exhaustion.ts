// Limits that are met: how one is recorded, and how it is said.
import type { Instant } from '../../base/quantity.ts';
import type { Limited } from '../../budget/amount.ts';
import { type Shortfall, wayUp } from '../../budget/ledger.ts';
import { limitText } from '../../budget/limit-text.ts';
import { limitKey } from '../../budget/limits.ts';
import { type Batch, emit } from '../batch.ts';
import type { Exhaustion } from '../event.ts';
import { elapsedAt, RUN_ACCOUNT, type RunState, type Step } from '../state.ts';
import { landingTime } from './landing.ts';

/** Records that an account cannot pay; all that it would pay for is then cut. */
export function exhaust(batch: Batch, cause: number, short: Shortfall): void {
  emit(batch, cause, { type: 'budget.exhausted', ...exhaustionOf(short) });
}

/** A limit as something that asked for more than is left of it met it. */
export function exhaustionOf({ asked: _, ...met }: Shortfall): Exhaustion {
  return { ...met, key: keyOf(met.account, met.resource) };
}

/** The wall clock as it stands, met or not. */
export function timeExhaustion(state: RunState, at: Instant): Exhaustion {
  return {
    account: RUN_ACCOUNT,
    resource: 'time',
    limit: state.wallClock,
    spent: Math.min(elapsedAt(state, at), state.wallClock),
    reserved: 0,
    landing: landingTime(state),
    key: keyOf(RUN_ACCOUNT, 'time'),
  };
}

/** Where the author would change the limit. */
export function keyOf(account: string, resource: Limited | 'time'): string {
  const key = resource === 'time' ? 'max_wall_clock_time' : limitKey(resource);
  return account === RUN_ACCOUNT ? `budget.${key}` : `steps.${account}.budget.${key}`;
}

/** The exhausted account that a step's postings would reach first, if any. */
export function exhaustedFor(state: RunState, accountId: string): Exhaustion | undefined {
  if (state.exhausted.size === 0) return undefined;
  return wayUp(state.ledger, accountId).flatMap(({ id }) => state.exhausted.get(id) ?? [])[0];
}

/** Whether what the step costs counts for the account. */
export function isPaidBy({ ledger }: RunState, step: Step, account: string): boolean {
  return wayUp(ledger, step.account).some(({ id }) => id === account);
}

/** `budget.max_cost_budget: spent $4.9312 + reserved $0.0700 of $5.0000 (landing reserve $0.5000 untouched)` */
export function exhaustionText({ key, resource, spent, reserved, limit, landing }: Exhaustion): string {
  const show = (value: number): string => limitText(resource, value);
  const kept = landing > 0 ? ` (landing reserve ${show(landing)} untouched)` : '';
  return `${key}: spent ${show(spent)} + reserved ${show(reserved)} of ${show(limit)}${kept}`;
}
