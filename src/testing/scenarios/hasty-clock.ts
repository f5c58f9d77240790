// An accelerated clock, for runs that only wait for backoffs and cooldowns.
import type { Clock } from '../../runtime/ports/clock.ts';

/** For replays: recorded calls answer at once, so only backoffs and cooldowns take time. */
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
