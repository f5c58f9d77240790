// The delay before a retry.
import { unreachable } from '../../base/fault.ts';
import type { Duration } from '../../base/quantity.ts';
import type { RetryPolicy } from '../../template/step-spec.ts';

/** The delay before the attempt of this number, counted from 1; `chance` from 0 to 1 takes up to `jitter` of it off. */
export function delayBefore(attempt: number, { backoff, base, max, jitter }: RetryPolicy, chance: number): Duration {
  const retries = Math.max(1, attempt - 1);
  const delay = Math.min(max, base * growth(backoff, retries));
  return Math.round(delay * (1 - jitter * chance));
}

function growth(backoff: RetryPolicy['backoff'], retries: number): number {
  switch (backoff) {
    case 'none':
      return 1;
    case 'linear':
      return retries;
    case 'exponential':
      return 2 ** (retries - 1);
    case 'fibonacci':
      return fibonacci(retries);
    default:
      return unreachable(backoff);
  }
}

/** 1, 1, 2, 3, 5, … */
function fibonacci(n: number): number {
  let [last, next] = [0, 1];
  for (let i = 1; i < n; i++) [last, next] = [next, last + next];
  return next;
}
