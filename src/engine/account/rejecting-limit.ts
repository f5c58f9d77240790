// Finds the limit that is the only reason why the review rejected a plan.
import type { Issue } from '../../base/issue.ts';
import type { Amount } from '../../budget/amount.ts';
import { shortfall } from '../../budget/ledger.ts';
import { depthExhaustion } from '../queries/planning-depth.ts';
import type { Batch } from '../state/batch.ts';
import { exhaustionOf } from '../state/exhaustion.ts';
import type { Step } from '../state/state.ts';
import type { BudgetShortage } from './afford.ts';
import { nearestLimit } from './budget-warning.ts';

/** The issue codes of plans that exceed a limit. */
const ofLimits: ReadonlySet<string> = new Set([
  'PLANNING_TOO_DEEP',
  'BUDGET_EXCEEDED',
  'PLANNING_WHILE_CONVERGING',
  // The plan asks for a part larger than the whole; another issue names the rest of the whole.
  'BUDGET_OVER_PARENT',
]);

/** Undefined if a higher limit would not make the plan acceptable. `estimate`: the cost of the plan. */
export function rejectingLimit(
  batch: Batch,
  step: Step,
  errors: readonly Issue[],
  estimate: Amount,
): BudgetShortage | undefined {
  const { state } = batch;
  const codes = new Set(errors.map(({ code }) => code));
  if (![...codes].every((code) => ofLimits.has(code))) return undefined;
  if (codes.has('PLANNING_TOO_DEEP')) return { met: depthExhaustion(state, step), asked: 1 };
  const short = codes.has('BUDGET_EXCEEDED') ? shortfall(state.ledger, step.account, estimate, false) : undefined;
  if (short !== undefined) return { met: exhaustionOf(short), asked: short.asked };
  const near = codes.has('PLANNING_WHILE_CONVERGING') ? nearestLimit(batch) : undefined;
  return near && { met: near };
}
