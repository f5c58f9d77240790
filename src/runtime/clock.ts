// The clock as a port: what time it is, and being woken later.
import type { Duration, Instant } from '../base/quantity.ts';

export interface Clock {
  now(): Instant;
  /** Calls back once after the delay unless the function it returns is called first. */
  wake(after: Duration, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  wake(after, callback) {
    // setTimeout fires at once for anything longer than 2^31 ms.
    const timer = setTimeout(callback, Math.min(after, 2_147_483_647));
    return () => clearTimeout(timer);
  },
};

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
