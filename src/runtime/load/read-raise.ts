// Reads the limits that a person raises, as written on a command line.

import { type Issue, issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { LimitedResource } from '../../budget/amount.ts';
import { limitKeys, type Raise } from '../../budget/limits.ts';
import { readBudgetKey } from './budget-key.ts';

/** `given`: budget keys of a template, such as `{ max_total_steps: '50' }`. Issues: BUDGET_KEY_UNKNOWN, BUDGET_VALUE_UNREADABLE. */
export function readRaise(given: Readonly<Record<string, string>>): Result<Raise> {
  const limit: Partial<Record<LimitedResource, number>> = {};
  let wallClock: Duration | undefined;
  let planningDepth: number | undefined;
  const issues: Issue[] = [];
  for (const [key, text] of Object.entries(given)) {
    const read = readBudgetKey(key, text);
    if (!read.ok) issues.push(...read.error);
    else if ('limited' in read.value) limit[read.value.limited] = read.value.value;
    else if (read.value.part === 'wallClock') wallClock = read.value.value;
    else if (read.value.part === 'planningDepth') planningDepth = read.value.value;
    else issues.push(notRaised(key));
  }
  if (issues.length > 0) return bad(issues);
  return good({
    limit,
    ...defined({ wallClock, planningDepth }),
  });
}

function notRaised(key: string): Issue {
  const hint = `choose from ${[...Object.keys(limitKeys), 'max_wall_clock_time', 'max_planning_depth'].join(', ')}`;
  return issue('BUDGET_KEY_UNKNOWN', `"${key}" is not a limit that can be raised`, { path: ['budget', key], hint });
}
