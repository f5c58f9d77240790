// Waits for a piece of work, but not for ever.
import type { Duration } from '../../base/quantity.ts';

/** Whether the work was done in time. */
export async function within(time: Duration, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), time);
  const done = (): void => resolve(true);
  work.then(done, done);
  return promise.finally(() => clearTimeout(timer));
}
