// What a call of a capability costs, as its author writes it: seconds and dollars; declarations keep whole small units.
import { defined } from '../base/json.ts';
import { dollarsOf, durationOfSeconds, microDollarsOf, secondsOf } from '../budget/shown.ts';
import type { Declaration } from '../contract/declaration.ts';

/** Hints for planners and budgets; budgets count the dollars as the price of a call. */
export interface CallCost {
  readonly seconds?: number;
  readonly usd?: number;
}

export function declaredCost({ seconds, usd }: CallCost = {}): Declaration['cost'] {
  return {
    ...defined({
      ms: seconds === undefined ? undefined : durationOfSeconds(seconds),
      micro_dollars: usd === undefined ? undefined : microDollarsOf(usd),
    }),
  };
}

/** Reads the cost back as its author wrote it. */
export function shownCost({ ms, micro_dollars: micros }: Declaration['cost']): CallCost {
  return {
    ...defined({
      seconds: ms === undefined ? undefined : secondsOf(ms),
      usd: micros === undefined ? undefined : dollarsOf(micros),
    }),
  };
}

/** A price under a key that nobody reads would be no price. */
export function isCost(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).every(
    ([key, each]) => (key === 'seconds' || key === 'usd') && typeof each === 'number' && each >= 0,
  );
}
