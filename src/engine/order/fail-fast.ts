// fail_fast: after a failed step, running steps may end, and nothing new begins.

import { abortAttempt } from '../state/abort-attempt.ts';
import { type Batch, emit } from '../state/batch.ts';
import { isTerminal, stepOf } from '../state/state.ts';

/** Skips everything that has not begun, also retries, new steps of plans and open questions. */
export function failFast(batch: Batch): void {
  const { state } = batch;
  if (state.failedFast === undefined || state.status === 'ended') return;
  const idle = [...state.steps.values()].filter((step) => !isTerminal(step) && step.status !== 'running');
  if (idle.length === 0) return;
  for (const step of idle) abortAttempt(batch, step, 'cancelled');
  const cause = stepOf(state, state.failedFast).since;
  emit(batch, cause, { type: 'steps.cancelled', steps: idle.map(({ id }) => id) });
}
