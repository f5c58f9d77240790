// Budgets as written, read to limits: `$5.00` to micro-dollars, `30m` to milliseconds.
import type { JsonObject } from '../../base/json.ts';
import { readPercent } from '../../base/quantity.ts';
import type { Limit, Limited } from '../../budget/amount.ts';
import { type Budget, defaultRunBudget, limitKeys, type RunBudget } from '../../budget/limits.ts';
import { readLimit } from '../../budget/read-limit.ts';
import { defined, durationAt, numberAt, quantityAt } from './readers.ts';

export function readBudget(raw: JsonObject): Budget {
  return defined<Budget>({
    limit: limitOf(raw),
    wallClock: durationAt(raw, 'max_wall_clock_time'),
    planningDepth: numberAt(raw, 'max_planning_depth'),
    fragmentSteps: numberAt(raw, 'max_fragment_steps'),
    fragmentDepth: numberAt(raw, 'max_fragment_depth'),
    fanOut: numberAt(raw, 'max_fan_out'),
  });
}

/** What is not written is as in the seeds. */
export function readRunBudget(raw: JsonObject): RunBudget {
  const written = readBudget(raw);
  return {
    ...defaultRunBudget,
    ...written,
    limit: { ...defaultRunBudget.limit, ...written.limit },
    landingReserve: quantityAt(raw, 'landing_reserve', readPercent) ?? defaultRunBudget.landingReserve,
    warnAt: quantityAt(raw, 'warn_at', readPercent) ?? defaultRunBudget.warnAt,
  };
}

function limitOf(raw: JsonObject): Limit {
  const limit: Partial<Record<Limited, number>> = {};
  for (const [key, limited] of Object.entries(limitKeys)) {
    const value = quantityAt(raw, key, (written) => readLimit(limited, written));
    if (value !== undefined) limit[limited] = value;
  }
  return limit;
}
