// Stops the running attempt of a step, or the child run that the step waits for.

import { defined } from '../../base/json.ts';
import type { Effect } from '../record/effect.ts';
import type { Batch } from './batch.ts';
import { childGateOf, childUnderWay } from './child-run.ts';
import type { RunState, Step } from './state.ts';

export type AbortReason = Extract<Effect, { type: 'abort' }>['why'];

/** Call this before the event that ends the step. */
export function abortAttempt({ state, effects }: Batch, step: Step, why: AbortReason): void {
  if (!isUnderWay(state, step)) return;
  const child = childUnderWay(state, step);
  effects.push({ type: 'abort', step: step.id, why, ...defined({ child }) });
}

/** Whether an attempt runs, or a child run waits for people. */
export function isUnderWay(state: RunState, step: Step): boolean {
  return step.status === 'running' || childGateOf(state, step) !== undefined;
}
