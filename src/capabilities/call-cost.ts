// The price of a call: authors write seconds and dollars, declarations store milliseconds and micro-dollars.
import { defined } from '../base/json.ts';
import { dollarsOf, durationOfSeconds, microDollarsOf, secondsOf } from '../budget/display-figures.ts';
import type { Declaration } from '../contract/declaration.ts';

/** Estimates for planners and budgets; a budget charges `usd` for each call. */
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

/** The cost in seconds and dollars. */
export function shownCost({ ms, micro_dollars: micros }: Declaration['cost']): CallCost {
  return {
    ...defined({
      seconds: ms === undefined ? undefined : secondsOf(ms),
      usd: micros === undefined ? undefined : dollarsOf(micros),
    }),
  };
}

/** Refuses unknown keys, whose price nobody would charge. */
export function isCost(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).every(
    ([key, each]) => (key === 'seconds' || key === 'usd') && typeof each === 'number' && each >= 0,
  );
}
