// Gives steps of a plan the results that whoever started the run had for them: they end without having begun.
import type { Batch } from '../batch.ts';
import { valueIn } from '../kept.ts';
import { stepOf } from '../state.ts';
import { resolveStep } from '../step/operate-step.ts';

const WHY = 'given when the run was started';

/** A result that a step does not take is not given to it: the step runs. */
export function giveResults(batch: Batch, ids: readonly string[]): void {
  const { given, startedBy: by } = batch.state;
  if (given.size === 0) return;
  for (const id of ids) {
    const kept = given.get(stepOf(batch.state, id).spec.name);
    const value = kept && valueIn(kept, batch.values);
    if (value !== undefined) resolveStep(batch, { type: 'resolve-step', at: batch.at, step: id, value, by, why: WHY });
  }
}
