// The time of a run: the machine's clock, but never earlier than the run's last event.
import type { Duration, Instant } from '../../base/quantity.ts';
import type { RunView } from './run-view.ts';

/**
 * Milliseconds that a run's time is ahead of the machine's clock when a driver takes the run up. A run that waits for an
 * instant of its own time keeps the lead that it had: the wait would otherwise begin anew with every driver.
 */
export function leadOver({ at, lead, openGates, retrying }: RunView, now: Instant): Duration {
  const isWaiting = openGates.size + retrying.size > 0;
  return Math.max(isWaiting ? lead : 0, at - now, 0);
}

/** The time of a run that nobody drives at this moment. */
export function runTime(state: RunView, now: Instant): Instant {
  return now + leadOver(state, now);
}
