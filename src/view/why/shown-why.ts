// The answer of `why` for machines: bills in dollars.
import { defined } from '../../base/json.ts';
import type { Amount } from '../../budget/amount.ts';
import { shownAmount } from '../../budget/display-figures.ts';
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
    ...defined({
      bill: of.bill === undefined ? undefined : shownAmount(of.bill),
      assumed: of.assumed === undefined ? undefined : shownAmount(of.assumed),
    }),
  };
}
