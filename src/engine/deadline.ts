// When time brings something of itself: the run's deadline, and the expiry of gates.
import type { Duration, Instant } from '../base/quantity.ts';
import { landingTime } from './spend/landing.ts';
import { elapsedAt, type Gate, RUN_ACCOUNT, type RunState } from './state.ts';

/** Milliseconds until the deadline; for all but the landing set it comes earlier. */
export function timeLeft(state: RunState, at: number, landing: boolean): Duration {
  return state.wallClock - (landing ? 0 : landingTime(state)) - elapsedAt(state, at);
}

/** The deadline has been met and told. */
export function isOutOfTime(state: RunState): boolean {
  return state.exhausted.get(RUN_ACCOUNT)?.resource === 'time';
}

/** In the order in which they were opened. */
export function openGatesOf(state: RunState): Gate[] {
  return [...state.openGates].flatMap((id) => state.gates.get(id) ?? []);
}

export function hasExpired({ expiresAt }: Gate, at: Instant): boolean {
  return expiresAt !== undefined && expiresAt <= at;
}
