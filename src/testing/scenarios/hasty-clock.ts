// A clock on which time passes faster, so that a run that only waits for itself need not be waited for.
import type { Clock } from '../../runtime/ports/clock.ts';

/** For replays: whatever they ask is answered at once, and only backoffs and cooldowns take time. */
export function hastyClock(pace: number): Clock {
  const began = performance.now();
  const start = Date.now();
  return {
    now: () => Math.floor(start + (performance.now() - began) * pace),
    wake(after, callback) {
      const timer = setTimeout(callback, after / pace);
      return () => clearTimeout(timer);
    },
  };
}
