// Resolves steps of a plan with the results that the run was started with; these steps never begin.

import { resolveStep } from '../attempt/resolve-step.ts';
import { valueIn } from '../record/stored-value.ts';
import type { Batch } from '../state/batch.ts';
import { stepOf } from '../state/state.ts';

const WHY = 'given when the run was started';

/** A result that breaks its step's contract is ignored, and the step runs. */
export function giveResults(batch: Batch, ids: readonly string[]): void {
  const { given, startedBy: by } = batch.state;
  if (given.size === 0) return;
  for (const id of ids) {
    const kept = given.get(stepOf(batch.state, id).spec.name);
    const value = kept && valueIn(kept, batch.values);
    if (value !== undefined) resolveStep(batch, { type: 'resolve-step', at: batch.at, step: id, value, by, why: WHY });
  }
}
