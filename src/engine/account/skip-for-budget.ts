// Skips a step that its budget does not allow to begin or to go on.

import { type Failure, failure } from '../../base/failure.ts';
import { defined } from '../../base/json.ts';
import type { EventOf } from '../record/event.schema.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import { isUnderWay } from '../state/abort-attempt.ts';
import { type Batch, emit } from '../state/batch.ts';
import { exhaustedAbove, exhaustionText } from '../state/exhaustion.ts';
import type { RunState, Step } from '../state/state.ts';

interface BudgetCut {
  readonly cause?: number;
  /** The limit that stopped it; absent: the nearest exhausted one. */
  readonly met?: Exhaustion | undefined;
  readonly bill?: EventOf<'step.skipped'>['bill'];
}

export function skipForBudget(batch: Batch, step: Step, { cause = step.since, met, bill }: BudgetCut = {}): void {
  const why = cutOff(batch.state, step, met);
  emit(batch, cause, {
    type: 'step.skipped',
    step: step.id,
    reason: 'budget',
    ...defined({ failure: why, bill }),
  });
}

/** The failure of a step that was cut off; undefined if it had not begun. */
function cutOff(state: RunState, step: Step, met = exhaustedAbove(state, step.account)[0]): Failure | undefined {
  if (step.attempt === 0 || met === undefined) return undefined;
  const { failure: last, attempt } = step;
  const isLeft = isUnderWay(state, step) || last === undefined || last.code === 'STEP_ABORTED';
  const how = isLeft
    ? 'aborted'
    : `attempt ${attempt} failed (${last.code}: ${last.message}) and it is not tried again`;
  return failure('BUDGET_EXCEEDED', `${how}: ${exhaustionText(met)}`, { retry: 'never' });
}
