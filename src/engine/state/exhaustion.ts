// Exhaustion: how a limit that was met is recorded and worded.
import { counted } from '../../base/counted.ts';
import { type Failure, failure } from '../../base/failure.ts';
import { present } from '../../base/fault.ts';
import type { Instant } from '../../base/quantity.ts';
import { elapsedAt } from '../../budget/clock.ts';
import { type Account, accountChain, type Shortfall } from '../../budget/ledger.ts';
import { limitText, unitText } from '../../budget/limit-text.ts';
import { type Exhaustible, limitKey } from '../../budget/limits.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import { landingTime } from './landing-set.ts';
import { RUN_ACCOUNT, type RunState, type Step } from './state.ts';

/** The record of a limit that an amount did not fit. */
export function exhaustionOf({
  account,
  resource,
  limit,
  spent,
  reserved,
  landing,
}: Omit<Shortfall, 'asked'>): Exhaustion {
  return { account, resource, limit, spent, reserved, landing, key: limitPlace(account, resource) };
}

/**
 * The record of an account's time limit at an instant. `landing`: the time that is reserved for the landing set may be
 * used too.
 */
export function timeExhaustion(state: RunState, of: Account, at: Instant, landing = false): Exhaustion {
  const { limit, ...clock } = present(of.clock, `clock of ${of.id}`);
  return {
    account: of.id,
    resource: 'time',
    limit,
    spent: Math.min(elapsedAt({ limit, ...clock }, at), limit),
    reserved: 0,
    landing: landing ? 0 : landingTime(state, of),
    key: limitPlace(of.id, 'time'),
  };
}

/** The key in the template that sets the limit. */
export function limitPlace(account: string, resource: Exhaustible): string {
  const key = limitKey(resource);
  return account === RUN_ACCOUNT ? `budget.${key}` : `steps.${account}.budget.${key}`;
}

/** The exhausted ones among an account and its parents, nearest first. */
export function exhaustedAbove({ exhausted, ledger }: RunState, account: string): readonly Exhaustion[] {
  if (exhausted.size === 0) return [];
  return accountChain(ledger, account).flatMap(({ id }) => exhausted.get(id) ?? []);
}

/** The exhausted account that keeps a step from beginning; undefined if none does. */
export function exhaustedFor(state: RunState, step: Step): Exhaustion | undefined {
  return exhaustedAbove(state, step.account).find(({ account }) => !isSpared(state, step, account));
}

/**
 * The limit that a step failed for, else the limit that its nearest account met first, even if the limit was raised
 * since.
 */
export function limitMetFor({ met, ledger }: RunState, { account, stop }: Step): Exhaustion | undefined {
  return stop ?? accountChain(ledger, account).flatMap(({ id }) => met.get(id) ?? [])[0];
}

/** The failure of a step that has begun and cannot pay for its next call. The limit must be recorded already. */
export function unpaidFor(state: RunState, step: Step): { readonly failure: Failure; readonly stop: Exhaustion } {
  const [met] = exhaustedAbove(state, step.account);
  const stop = present(met, `limit that ${step.id} met`);
  return { failure: exhaustionFailure(stop), stop };
}

/** The failure of a step or a run that a limit stopped. */
export function exhaustionFailure(met: Exhaustion, why = exhaustionText(met), hint?: string): Failure {
  return failure(codeOf(met), why, { hint, retry: 'never' });
}

/** The depth of planning cannot be spent sparingly, so it has a code of its own. */
function codeOf({ resource }: Exhaustion): string {
  return resource === 'planning_depth' ? 'PLANNING_TOO_DEEP' : 'BUDGET_EXCEEDED';
}

/** Whether a failure code means that a limit was met. */
export function isExhaustion(code: string | undefined): boolean {
  return code === 'BUDGET_EXCEEDED' || code === 'PLANNING_TOO_DEEP';
}

/**
 * Whether a question about the limit holds all steps of the account. The depth of planning concerns one planner only.
 */
export function holdsAccount({ resource }: Exhaustion): boolean {
  return resource !== 'planning_depth';
}

/**
 * Whether a step may go on although the account is exhausted: the landing set has its own reserve in the run's account.
 */
export function isSpared({ landing }: RunState, { id }: Step, account: string): boolean {
  return account === RUN_ACCOUNT && landing.has(id);
}

/** Whether the cost of the step counts for the account. */
export function isPaidBy({ ledger }: RunState, step: Step, account: string): boolean {
  return accountChain(ledger, step.account).some(({ id }) => id === account);
}

/**
 * `budget.max_cost_budget: $4.9312 of $5.00 used, $0.07 reserved (landing reserve $0.50 untouched)`;
 * `budget.max_planning_depth (audit.yaml): planning is nested 3 of 3 levels deep`
 * @param file the template, if it is named
 */
export function exhaustionText(met: Exhaustion, file?: string): string {
  const { key, resource, spent, reserved, limit, landing, asked } = met;
  const place = file === undefined ? key : `${key} (${file})`;
  if (resource === 'planning_depth') return `${place}: planning is nested ${spent} of ${counted(limit, 'level')} deep`;
  const show = (value: number): string => limitText(resource, value);
  const whole = resource === 'time' || resource === 'cost_usd' ? show(limit) : unitText(limit, resource);
  const held = reserved > 0 ? `, ${show(reserved)} reserved` : '';
  const kept = landing > 0 ? ` (landing reserve ${show(landing)} untouched)` : '';
  const more = asked === undefined ? '' : `; the next plan needed ${show(asked)} more`;
  return `${place}: ${show(spent)} of ${whole.replaceAll('_', ' ')} used${held}${kept}${more}`;
}
