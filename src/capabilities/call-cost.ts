// What a call of a capability costs, as its author writes it: seconds and dollars; declarations keep whole small units.
import { dollarsOf, durationOfSeconds, microDollarsOf, secondsOf } from '../budget/shown.ts';
import type { Declaration } from '../contract/declaration.ts';

/** Hints for planners and budgets; budgets count the dollars as the price of a call. */
export interface CallCost {
  readonly seconds?: number;
  readonly usd?: number;
}

export function declaredCost({ seconds, usd }: CallCost = {}): Declaration['cost'] {
  return {
    ...(seconds === undefined ? {} : { ms: durationOfSeconds(seconds) }),
    ...(usd === undefined ? {} : { micro_dollars: microDollarsOf(usd) }),
  };
}

/** Reads the cost back as its author wrote it. */
export function shownCost({ ms, micro_dollars: micros }: Declaration['cost']): CallCost {
  return {
    ...(ms === undefined ? {} : { seconds: secondsOf(ms) }),
    ...(micros === undefined ? {} : { usd: dollarsOf(micros) }),
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
