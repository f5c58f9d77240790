// fail_fast: once a step has failed, what runs may end, and nothing begins any more.

import { abort } from '../account/abort.ts';
import { type Batch, emit } from '../state/batch.ts';
import { isTerminal, stepOf } from '../state/state.ts';

/** Also of what has come up since: another attempt, a plan's steps, a question to a person. */
export function halt(batch: Batch): void {
  const { state } = batch;
  if (state.failedFast === undefined || state.status === 'ended') return;
  const idle = [...state.steps.values()].filter((step) => !isTerminal(step) && step.status !== 'running');
  if (idle.length === 0) return;
  for (const step of idle) abort(batch, step, 'cancelled');
  const cause = stepOf(state, state.failedFast).since;
  emit(batch, cause, { type: 'steps.cancelled', steps: idle.map(({ id }) => id) });
}
