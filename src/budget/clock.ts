// The clock of an account: how long something was pending that the account pays for.
import type { Duration, Instant } from '../base/quantity.ts';

export interface Clock {
  limit: Duration;
  /** What has counted up to `since`. */
  elapsed: Duration;
  /** Attempts and backoffs that are pending; with none the clock stands still. */
  pending: number;
  since: Instant;
}

export function newClock(limit: Duration): Clock {
  return { limit, elapsed: 0, pending: 0, since: 0 };
}

/** What will have counted at an instant if nothing changes before it. */
export function elapsedAt({ elapsed, pending, since }: Clock, at: Instant): Duration {
  return elapsed + (pending > 0 ? Math.max(0, at - since) : 0);
}

/** So many more are pending from now on; fewer, where `by` is negative. */
export function pend(clock: Clock, by: number, at: Instant): void {
  clock.elapsed = elapsedAt(clock, at);
  clock.pending += by;
  clock.since = at;
}

/** Nothing counts from the one instant to the other. */
export function passOver(clock: Clock, from: Instant, to: Instant): void {
  clock.elapsed = elapsedAt(clock, from);
  clock.since = to;
}
