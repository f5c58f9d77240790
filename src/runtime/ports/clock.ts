// The clock port: tells the time, measures how much time has passed, and calls back after a delay.
import type { Duration, Instant } from '../../base/quantity.ts';

export interface Clock {
  now(): Instant;
  /**
   * A monotonic clock, from any starting moment. Without it, elapsed time is measured by `now`: setting the clock back
   * costs a run nothing, and setting it forward counts as elapsed time.
   */
  elapsed?(): Duration;
  /** Calls back once after the delay unless the function it returns is called first. */
  wake(after: Duration, callback: () => void): () => void;
}

/** A longer delay makes setTimeout fire at once. */
const LONGEST_TIMER = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  wake(after, callback) {
    let left = after;
    let timer = setTimeout(fire, Math.min(left, LONGEST_TIMER));
    function fire(): void {
      left -= LONGEST_TIMER;
      if (left > 0) timer = setTimeout(fire, Math.min(left, LONGEST_TIMER));
      else callback();
    }
    return () => clearTimeout(timer);
  },
};

/** A monotonic clock for one run. It starts `lead` ahead of the given clock, and setting that clock does not move it. */
export function steadyClock(clock: Clock, lead: Duration): Clock {
  const elapsed = (): Duration => (clock.elapsed === undefined ? clock.now() : clock.elapsed());
  const start = clock.now() + lead;
  let seen = elapsed();
  let passed = 0;
  const total = (): Duration => {
    const at = elapsed();
    passed += Math.max(0, at - seen);
    seen = at;
    return passed;
  };
  return {
    now: () => start + Math.floor(total()),
    elapsed: total,
    wake: (after, callback) => clock.wake(after, callback),
  };
}

/** A monotonic time, to measure how long a computation takes. */
export const stopwatch = (): Duration => performance.now();

/** Resolves with true after the wait, or with false as soon as the signal is aborted. */
export function passes(clock: Clock, wait: Duration, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const cancel = clock.wake(wait, () => resolve(true));
    signal.addEventListener('abort', () => {
      cancel();
      resolve(false);
    });
  });
}
