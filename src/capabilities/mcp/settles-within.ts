// Waits for a promise for a limited time.
import type { Duration } from '../../base/quantity.ts';

/** True when the work settled in time. */
export async function settlesWithin(time: Duration, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), time);
  const done = (): void => resolve(true);
  work.then(done, done);
  return promise.finally(() => clearTimeout(timer));
}
