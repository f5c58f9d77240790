// The answer of `why` for machines: bills in dollars.
import type { Amount } from '../../budget/amount.ts';
import { shownAmount } from '../../budget/shown.ts';
import type { Why } from './why.ts';

interface Billed {
  readonly bill?: Amount;
  readonly assumed?: Amount;
}

export function shownWhy(why: Why): Why {
  const attempts = why.attempts.map((attempt) => ({ ...inDollars(attempt), calls: attempt.calls.map(inDollars) }));
  return { ...why, attempts };
}

export function inDollars<T extends Billed>(of: T): T {
  return {
    ...of,
    ...(of.bill === undefined ? {} : { bill: shownAmount(of.bill) }),
    ...(of.assumed === undefined ? {} : { assumed: shownAmount(of.assumed) }),
  };
}
