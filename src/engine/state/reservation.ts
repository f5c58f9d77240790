// The amount that is reserved before a call: its price or, for a template, all that a run of it may use.
import { defined } from '../../base/json.ts';
import type { Amount, Limit, Resource } from '../../budget/amount.ts';
import { quantity } from '../../budget/amount.ts';
import { available } from '../../budget/ledger.ts';
import { limitKeys } from '../../budget/limits.ts';
import { priceOfCall } from '../../planning/estimate.ts';
import { childTemplateOf } from './child-run.ts';
import type { RunView } from './run-view.ts';
import type { Step } from './state.ts';

const limits = Object.values(limitKeys);

/**
 * The price of a call. For a child run: the most that it can use, or the rest of the budget if that is less. Resources
 * without a limit are left out.
 */
export function reservationFor(state: RunView, step: Step, capability: string): Amount {
  const least = priceOfCall(capability, state.template.capabilities);
  const child = childTemplateOf(state, capability);
  if (child === undefined) return least;
  const amount: Partial<Record<Resource, number>> = {};
  for (const of of limits) {
    const own = quantity(least, of);
    const most = child.most[of] ?? Number.POSITIVE_INFINITY;
    const wanted = of === 'tool_calls' ? most + STARTING_CALLS : most;
    const given = Math.max(
      own,
      Math.min(wanted, available(state.ledger, step.account, of, state.landing.has(step.id))),
    );
    if (wanted > 0 && Number.isFinite(given)) amount[of === 'tokens' ? 'tokens_in' : of] = given;
  }
  return amount;
}

/** Starting a run is a tool call. */
export const STARTING_CALLS = 1;

/** The limits of a run from the amount that was reserved for it. */
export function childRunLimit({ tokens_in: tokens, tool_calls: calls, ...amount }: Amount): Limit {
  return {
    ...amount,
    ...defined({ tokens, tool_calls: calls === undefined ? undefined : Math.max(0, calls - STARTING_CALLS) }),
  };
}
