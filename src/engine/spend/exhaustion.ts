// Limits that are met: how one is recorded, and how it is said.
import { type Failure, failure } from '../../base/failure.ts';
import { present } from '../../base/fault.ts';
import type { Instant } from '../../base/quantity.ts';
import type { Limited } from '../../budget/amount.ts';
import { elapsedAt } from '../../budget/clock.ts';
import { type Account, type Shortfall, wayUp } from '../../budget/ledger.ts';
import { limitText } from '../../budget/limit-text.ts';
import { limitKey } from '../../budget/limits.ts';
import type { Exhaustion } from '../event.ts';
import { RUN_ACCOUNT, type RunState, type Step } from '../state.ts';
import { landingTime } from './landing.ts';

/** A limit as something that asked for more than is left of it met it. */
export function exhaustionOf({ asked: _, ...met }: Shortfall): Exhaustion {
  return { ...met, key: keyOf(met.account, met.resource) };
}

/** The time of an account as it stands, over or not; `landing`: the share of the landing set is used too. */
export function timeExhaustion(state: RunState, of: Account, at: Instant, landing = false): Exhaustion {
  const { limit, ...clock } = present(of.clock, `clock of ${of.id}`);
  return {
    account: of.id,
    resource: 'time',
    limit,
    spent: Math.min(elapsedAt({ limit, ...clock }, at), limit),
    reserved: 0,
    landing: landing ? 0 : landingTime(state, of),
    key: keyOf(of.id, 'time'),
  };
}

/** Where the author would change the limit. */
export function keyOf(account: string, resource: Limited | 'time'): string {
  const key = resource === 'time' ? 'max_wall_clock_time' : limitKey(resource);
  return account === RUN_ACCOUNT ? `budget.${key}` : `steps.${account}.budget.${key}`;
}

/** The exhausted accounts that a posting would reach, nearest first. */
export function exhaustedAbove({ exhausted, ledger }: RunState, account: string): readonly Exhaustion[] {
  if (exhausted.size === 0) return [];
  return wayUp(ledger, account).flatMap(({ id }) => exhausted.get(id) ?? []);
}

/** The exhausted account that keeps a step from beginning, if any. */
export function exhaustedFor(state: RunState, step: Step): Exhaustion | undefined {
  return exhaustedAbove(state, step.account).find(({ account }) => !isSpared(state, step, account));
}

/** The limit that the nearest of the step's accounts met, raised since or not. */
export function limitMetFor({ met, ledger }: RunState, { account }: Step): Exhaustion | undefined {
  return wayUp(ledger, account).flatMap(({ id }) => met.get(id) ?? [])[0];
}

/** How work ends that had begun and cannot pay for what comes next, once the limit that it met is recorded. */
export function unpaidFor(state: RunState, step: Step): { readonly failure: Failure; readonly stop: Exhaustion } {
  const [met] = exhaustedAbove(state, step.account);
  const stop = present(met, `limit that ${step.id} met`);
  return { failure: failure('BUDGET_EXCEEDED', exhaustionText(stop), { retry: 'never' }), stop };
}

/** The end of the run's account is not that of the landing set, which lives on what is kept for it. */
export function isSpared({ landing }: RunState, { id }: Step, account: string): boolean {
  return account === RUN_ACCOUNT && landing.has(id);
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
