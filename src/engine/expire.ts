// The wall clock has reached the deadline: the steps of phases are cut off, the landing set still has its share.
import type { Issue } from '../base/issue.ts';
import type { Duration } from '../base/quantity.ts';
import type { Batch } from './batch.ts';
import { exhaustTime } from './exhaustion.ts';
import { landingTime } from './landing.ts';
import { isPending, RUN_ACCOUNT, type RunState } from './state.ts';

export function expire(batch: Batch): Issue | undefined {
  const { state } = batch;
  if (state.exhausted.has(RUN_ACCOUNT) || timeLeft(state, batch.at, false) > 0) return undefined;
  exhaustTime(batch, state.version);
  return undefined;
}

/** Milliseconds until the deadline; for all but the landing set it comes earlier. */
export function timeLeft(state: RunState, at: number, landing: boolean): Duration {
  const { budget } = state.template;
  const elapsed = state.elapsed + (isPending(state) ? Math.max(0, at - state.at) : 0);
  return budget.wallClock - (landing ? 0 : landingTime(budget)) - elapsed;
}
