// Reads a budget key and its value from a command line.
import { issue } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import { readPercent, readSize } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { LimitedResource } from '../../budget/amount.ts';
import { readLimit } from '../../budget/limit-text.ts';
import { limitKeys, type RunBudget } from '../../budget/limits.ts';

/** The bound that a key sets: on a resource that adds up, or on another part of the budget. */
type BudgetBound = { readonly limited: LimitedResource } | { readonly part: Exclude<keyof RunBudget, 'limit'> };

interface BudgetKey {
  readonly bounds: BudgetBound;
  read(text: string): Result<number, string>;
}

const known: ReadonlyMap<string, BudgetKey> = new Map<string, BudgetKey>([
  ...Object.entries(limitKeys).map(([key, limited]): [string, BudgetKey] => [
    key,
    { bounds: { limited }, read: (text) => readLimit(limited, text) },
  ]),
  ['max_wall_clock_time', { bounds: { part: 'wallClock' }, read: (text) => readLimit('time', text) }],
  ['max_planning_depth', { bounds: { part: 'planningDepth' }, read: readSize }],
  ['max_fragment_steps', { bounds: { part: 'fragmentSteps' }, read: readSize }],
  ['max_fragment_depth', { bounds: { part: 'fragmentDepth' }, read: readSize }],
  ['max_fan_out', { bounds: { part: 'fanOut' }, read: readSize }],
  ['landing_reserve', { bounds: { part: 'landingReserve' }, read: readPercent }],
  ['warn_at', { bounds: { part: 'warnAt' }, read: readPercent }],
]);

/** Issues: BUDGET_KEY_UNKNOWN, BUDGET_VALUE_UNREADABLE. */
export function readBudgetKey(key: string, text: string): Result<BudgetBound & { readonly value: number }> {
  const path = ['budget', key];
  const found = known.get(key);
  if (found === undefined) {
    const hint = didYouMean(key, known.keys()) ?? `the keys are ${[...known.keys()].join(', ')}`;
    return bad([issue('BUDGET_KEY_UNKNOWN', `"${key}" is not a key of a budget`, { path, hint })]);
  }
  const reading = found.read(text);
  if (reading.ok) return good({ ...found.bounds, value: reading.value });
  return bad([issue('BUDGET_VALUE_UNREADABLE', `"${key}" takes ${reading.error}`, { path })]);
}
