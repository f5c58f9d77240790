// The clock of an account: runs while something that the account pays for is pending.
import type { Duration, Instant } from '../base/quantity.ts';

export interface Clock {
  limit: Duration;
  /** The counted time up to `since`. */
  elapsed: Duration;
  /** The number of pending attempts and backoffs; at zero the clock stands still. */
  pending: number;
  since: Instant;
}

export function newClock(limit: Duration): Clock {
  return { limit, elapsed: 0, pending: 0, since: 0 };
}

/** The counted time at an instant, if nothing changes before it. */
export function elapsedAt({ elapsed, pending, since }: Clock, at: Instant): Duration {
  return elapsed + (pending > 0 ? Math.max(0, at - since) : 0);
}

/** Adds to the number of pending things; a negative `by` subtracts. */
export function addPending(clock: Clock, by: number, at: Instant): void {
  clock.elapsed = elapsedAt(clock, at);
  clock.pending += by;
  clock.since = at;
}

/** Counts nothing between the two instants. */
export function skipTime(clock: Clock, from: Instant, to: Instant): void {
  clock.elapsed = elapsedAt(clock, from);
  clock.since = to;
}
