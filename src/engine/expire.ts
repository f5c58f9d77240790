// The wall clock has reached the deadline: the steps of phases are cut off, the landing set still has its share.
import type { Issue } from '../base/issue.ts';
import type { Duration } from '../base/quantity.ts';
import { type Batch, emit } from './batch.ts';
import { timeExhaustion } from './exhaustion.ts';
import { landingTime } from './landing.ts';
import { elapsedAt, RUN_ACCOUNT, type RunState } from './state.ts';

export function expire(batch: Batch): Issue | undefined {
  const { state } = batch;
  if (isOutOfTime(state) || timeLeft(state, batch.at, false) > 0) return undefined;
  emit(batch, state.version, { type: 'budget.exhausted', ...timeExhaustion(state, batch.at) });
  return undefined;
}

/** Milliseconds until the deadline; for all but the landing set it comes earlier. */
export function timeLeft(state: RunState, at: number, landing: boolean): Duration {
  return state.wallClock - (landing ? 0 : landingTime(state)) - elapsedAt(state, at);
}

/** The deadline has been met and told. */
export function isOutOfTime(state: RunState): boolean {
  return state.exhausted.get(RUN_ACCOUNT)?.resource === 'time';
}
