// Applies the budget of one run to the template's budget: it may lower limits, and raise them only with permission.
import { type Issue, issue } from '../../base/issue.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { limitText } from '../../budget/limit-text.ts';
import type { RunBudget } from '../../budget/limits.ts';
import { checkAuthoredSteps } from '../../template/check/budgets.ts';
import { digestOfTemplate } from '../../template/load.ts';
import type { Template } from '../../template/template.ts';
import { readBudgetKey } from './budget-key.ts';

/** These percentages are shares and not limits, so they may change in both directions. */
const shares: ReadonlySet<string> = new Set(['landing_reserve', 'warn_at']);

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
    else issues.push(...next.error);
  }
  issues.push(...checkAuthoredSteps(template.steps, budget, [...template.budgetKeys, ...Object.keys(given)]));
  if (issues.length > 0) return bad(issues);
  const narrowed = { ...template, budget };
  return good({ ...narrowed, digest: digestOfTemplate(narrowed) });
}

function lay(budget: RunBudget, key: string, text: string, raise: boolean): Result<RunBudget> {
  const read = readBudgetKey(key, text);
  if (!read.ok) return read;
  const { value } = read.value;
  const before = 'part' in read.value ? budget[read.value.part] : budget.limit[read.value.limited];
  if (!raise && !shares.has(key) && before !== undefined && value > before) {
    const of = 'part' in read.value ? read.value.part : read.value.limited;
    const [asked, most] = [limitText(of, value), limitText(of, before)];
    return bad([
      issue('BUDGET_LOOSENED', `"${key}" would be ${asked} where the template allows ${most}`, {
        path: ['budget', key],
        hint: `give at most ${most}, or say --raise to allow more`,
      }),
    ]);
  }
  if ('part' in read.value) return good({ ...budget, [read.value.part]: value });
  return good({ ...budget, limit: { ...budget.limit, [read.value.limited]: value } });
}
