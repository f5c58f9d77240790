// A clock that runs faster than the machine's, so that a run of half an hour is made in half a minute.
import type { Duration, Instant } from '../../src/base/quantity.ts';
import { type Clock, systemClock } from '../../src/runtime/ports/clock.ts';

/** Starts at `start`, and lets `speed` milliseconds pass in each real one. */
export function fastClock(start: Instant, speed: number): Clock {
  const began = performance.now();
  const elapsed = (): Duration => (performance.now() - began) * speed;
  return {
    now: () => Math.floor(start + elapsed()),
    elapsed,
    wake: (after, callback) => systemClock.wake(after / speed, callback),
  };
}
