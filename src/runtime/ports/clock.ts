// The clock as a port: what time it is, how much has passed, and being woken later.
import type { Duration, Instant } from '../../base/quantity.ts';

export interface Clock {
  now(): Instant;
  /**
   * Milliseconds since any fixed moment, which nobody sets and which never run backwards. Without it time is counted by
   * what `now` advances: a clock that is set back costs nothing, one that is set forward counts.
   */
  elapsed?(): Duration;
  /** Calls back once after the delay unless the function it returns is called first. */
  wake(after: Duration, callback: () => void): () => void;
}

/** setTimeout fires at once for anything longer. */
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

/** A clock for one run: it starts `lead` ahead of another, and whoever sets that one does not move it. */
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

/** Milliseconds that pass while one thing is done, for what must not hold up a run. */
export const stopwatch = (): number => performance.now();

/** False when it was aborted meanwhile. */
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
