// Decides whether a run waits for people alone, and whether a step waits for child runs.
import type { Amount } from '../../budget/amount.ts';
import { shortfall } from '../../budget/ledger.ts';
import { limitKeys } from '../../budget/limits.ts';
import { priceOfCall } from '../../planning/estimate.ts';
import { childTemplateOf, stepsWithChild } from './child-run.ts';
import { reservationFor } from './reservation.ts';
import type { RunView } from './run-view.ts';
import { type Step, stepOf } from './state.ts';

/**
 * Whether only people can move the run: gates are open, nothing runs, and ready steps wait for child runs that wait
 * themselves.
 */
export function isWaiting(state: RunView): boolean {
  const { status, live, openGates, running, ready, retrying } = state;
  if (status !== 'running' || live === 0 || openGates.size === 0 || running.size + retrying.size > 0) return false;
  return ready.size === 0 || [...ready].every((id) => waitsForRuns(state, id));
}

/**
 * Whether a step waits until other child runs give budget back. If all of them wait for people, it begins as soon as
 * its start is paid for.
 */
export function waitsForRuns(state: RunView, id: string): boolean {
  if (state.template.templates === undefined) return false;
  const step = stepOf(state, id);
  const { capability = '' } = step.spec;
  const child = childTemplateOf(state, capability);
  const others = child === undefined ? [] : stepsWithChild(state);
  if (child === undefined || others.length === 0) return false;
  if (others.some(({ status }) => status === 'running') && isLess(reservationFor(state, step, capability), child.most))
    return true;
  return !canBegin(state, step, capability);
}

function isLess(amount: Amount, most: Readonly<Record<string, number>>): boolean {
  return Object.values(limitKeys).some((of) => {
    const given = of === 'tokens' ? amount.tokens_in : amount[of];
    return given !== undefined && given < (most[of] ?? Number.POSITIVE_INFINITY);
  });
}

function canBegin({ ledger, landing, template }: RunView, { account, id }: Step, capability: string): boolean {
  return shortfall(ledger, account, priceOfCall(capability, template.capabilities), landing.has(id)) === undefined;
}
