// Stops a fail_fast run after a failed step: running steps may end, and no other step begins.

import { abortAttempt } from '../state/abort-attempt.ts';
import { type Batch, emit } from '../state/batch.ts';
import { isTerminal, stepOf } from '../state/state.ts';

/** Cancels every step that is not running, also steps that wait for a retry or for a person. */
export function failFast(batch: Batch): void {
  const { state } = batch;
  if (state.failedFast === undefined || state.status === 'ended') return;
  const idle = [...state.steps.values()].filter((step) => !isTerminal(step) && step.status !== 'running');
  if (idle.length === 0) return;
  for (const step of idle) abortAttempt(batch, step, 'cancelled');
  const cause = stepOf(state, state.failedFast).since;
  emit(batch, cause, { type: 'steps.cancelled', steps: idle.map(({ id }) => id) });
}
