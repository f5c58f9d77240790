// Finds the limit that alone stands in the way of a plan which the review has rejected.
import type { Issue } from '../../base/issue.ts';
import type { Amount } from '../../budget/amount.ts';
import { shortfall } from '../../budget/ledger.ts';
import { depthExhaustion } from '../read/depth.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import type { Batch } from '../state/batch.ts';
import { exhaustionOf } from '../state/exhaustion.ts';
import type { Step } from '../state/state.ts';
import { limitNear } from './warn.ts';

export interface Short {
  readonly met: Exhaustion;
  /** How much more of it the plan wants, where that is known. */
  readonly asked?: number;
}

/** The codes with which the review says that a plan is more than is left. */
const ofLimits: ReadonlySet<string> = new Set([
  'PLANNING_TOO_DEEP',
  'BUDGET_EXCEEDED',
  'PLANNING_WHILE_CONVERGING',
  // Asks for a part that is larger than the whole; what is left of the whole is told beside it.
  'BUDGET_OVER_PARENT',
]);

/** Undefined: the plan has a fault that no higher limit would mend. `estimate`: of the plan. */
export function limitAgainst(batch: Batch, step: Step, errors: readonly Issue[], estimate: Amount): Short | undefined {
  const { state } = batch;
  const codes = new Set(errors.map(({ code }) => code));
  if (![...codes].every((code) => ofLimits.has(code))) return undefined;
  if (codes.has('PLANNING_TOO_DEEP')) return { met: depthExhaustion(state, step), asked: 1 };
  const short = codes.has('BUDGET_EXCEEDED') ? shortfall(state.ledger, step.account, estimate, false) : undefined;
  if (short !== undefined) return { met: exhaustionOf(short), asked: short.asked };
  const near = codes.has('PLANNING_WHILE_CONVERGING') ? limitNear(batch) : undefined;
  return near && { met: near };
}
