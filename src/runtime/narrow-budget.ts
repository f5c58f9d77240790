// Lays a budget given for one run over the template's: it tightens freely, and loosens only when told to.
import { type Issue, issue } from '../base/issue.ts';
import { didYouMean } from '../base/nearest.ts';
import { type Reading, readDuration, readMoney, readPercent, readSize } from '../base/quantity.ts';
import { bad, good, type Result } from '../base/result.ts';
import { limitKeys, type RunBudget } from '../budget/limits.ts';
import { checkAuthoredSteps } from '../template/check/budgets.ts';
import { digestOfTemplate } from '../template/load.ts';
import type { Template } from '../template/template.ts';

/** Where a key that is not an adding-up limit stands in the budget, and how it is read. */
const others: Readonly<
  Record<string, { readonly at: Exclude<keyof RunBudget, 'limit'>; readonly read: (text: string) => Reading }>
> = {
  max_wall_clock_time: { at: 'wallClock', read: readDuration },
  max_planning_depth: { at: 'planningDepth', read: readSize },
  max_fragment_steps: { at: 'fragmentSteps', read: readSize },
  max_fragment_depth: { at: 'fragmentDepth', read: readSize },
  max_fan_out: { at: 'fanOut', read: readSize },
  landing_reserve: { at: 'landingReserve', read: readPercent },
  warn_at: { at: 'warnAt', read: readPercent },
};

/** Percentages are shares, not limits: either way is as good. */
const shares: ReadonlySet<string> = new Set(['landing_reserve', 'warn_at']);

const budgetKeys: readonly string[] = [...Object.keys(limitKeys), ...Object.keys(others)];

/** Issues: BUDGET_KEY_UNKNOWN, BUDGET_VALUE_UNREADABLE, BUDGET_LOOSENED, BUDGET_BELOW_TEMPLATE. */
export function narrowBudget(
  template: Template,
  given: Readonly<Record<string, string>>,
  raise: boolean,
): Result<Template> {
  const entries = Object.entries(given);
  if (entries.length === 0) return good(template);
  let budget = template.budget;
  const issues: Issue[] = [];
  for (const [key, text] of entries) {
    const next = lay(budget, key, text, raise);
    if (next.ok) budget = next.value;
    else issues.push(...next.issues);
  }
  issues.push(...checkAuthoredSteps(template.steps, budget));
  if (issues.length > 0) return bad(issues);
  const narrowed = { ...template, budget };
  return good({ ...narrowed, digest: digestOfTemplate(narrowed) });
}

function lay(budget: RunBudget, key: string, text: string, raise: boolean): Result<RunBudget> {
  const path = ['budget', key];
  const limited = Object.hasOwn(limitKeys, key) ? limitKeys[key] : undefined;
  const other = Object.hasOwn(others, key) ? others[key] : undefined;
  if (limited === undefined && other === undefined) {
    const hint = didYouMean(key, budgetKeys) ?? `the keys are ${budgetKeys.join(', ')}`;
    return bad([issue('BUDGET_KEY_UNKNOWN', `"${key}" is not a key of a budget`, { path, hint })]);
  }
  const read = other?.read ?? (limited === 'cost_usd' ? readMoney : readSize);
  const reading = read(text);
  if (!reading.ok) return bad([issue('BUDGET_VALUE_UNREADABLE', `"${key}" takes ${reading.expected}`, { path })]);
  const before = other === undefined ? (limited === undefined ? undefined : budget.limit[limited]) : budget[other.at];
  if (!raise && !shares.has(key) && before !== undefined && reading.value > before) {
    return bad([
      issue('BUDGET_LOOSENED', `"${key}" would be more than the template allows`, {
        path,
        hint: 'say --raise to allow it',
      }),
    ]);
  }
  if (other !== undefined) return good({ ...budget, [other.at]: reading.value });
  return good(limited === undefined ? budget : { ...budget, limit: { ...budget.limit, [limited]: reading.value } });
}
