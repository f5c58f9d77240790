// The landing set: the steps that can still run when all other steps have spent their share of the budget.

import type { Duration } from '../../base/quantity.ts';
import { type Limit, type LimitedResource, limitable } from '../../budget/amount.ts';
import type { AccountView } from '../../budget/ledger.ts';
import type { RunBudget } from '../../budget/limits.ts';
import { reachableFrom } from '../../graph/reach.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { RunView } from './run-view.ts';
import { RUN_ACCOUNT } from './state.ts';

/** Authored non-planning steps with no planning step downstream. */
export function landingOf(steps: readonly StepSpec[]): readonly string[] {
  const planners = steps.filter((spec) => spec.type === 'planning').map((spec) => spec.name);
  const dependencies = new Map(planners.length === 0 ? [] : steps.map((spec) => [spec.name, spec.dependencies]));
  const upstream = reachableFrom(planners, (name) => dependencies.get(name) ?? []);
  return steps.filter((spec) => spec.type !== 'planning' && !upstream.has(spec.name)).map((spec) => spec.name);
}

const keptBack: ReadonlySet<LimitedResource> = new Set([
  'llm_calls',
  'tokens',
  'tokens_in',
  'tokens_out',
  'tool_calls',
  'cost_usd',
]);

/** The share of cost, tokens and calls that only the landing set may use. */
export function landingReserve(budget: RunBudget): Limit {
  const kept: Partial<Record<LimitedResource, number>> = {};
  for (const limited of limitable) {
    const of = budget.limit[limited];
    if (of !== undefined && keptBack.has(limited)) kept[limited] = landingShare(of, budget);
  }
  return kept;
}

/** The percentage of a limit that only the landing set may use. */
export function landingPercent({ template }: RunView, account: string, resource: LimitedResource | 'time'): number {
  const isKept = account === RUN_ACCOUNT && (resource === 'time' || keptBack.has(resource));
  return isKept ? template.budget.landingReserve : 0;
}

/** The share of an account's time that only the landing set may use. */
export function landingTime({ template }: RunView, { id, clock }: AccountView): Duration {
  return id === RUN_ACCOUNT && clock !== undefined ? landingShare(clock.limit, template.budget) : 0;
}

/** The percentage of a limit, rounded up. */
export function landingShare(limit: number, { landingReserve: percent }: RunBudget): number {
  return Math.ceil((limit * percent) / 100);
}
