// Narrows the budget of a child template to the limits of its parent run.
import type { Limit } from '../budget/amount.ts';
import { type Budget, limitKeys } from '../budget/limits.ts';
import { digestOfTemplate } from './load.ts';
import type { Template } from './template.ts';

/** The smaller of two limits applies. `most` is the most that a run can use; limits equal to it are `ample`. */
export function withinBudget(template: Template, { limit, ...bounds }: Budget, most: Limit = {}): Template {
  const { budget } = template;
  const least = (one: number | undefined, other: number | undefined): number | undefined =>
    one === undefined ? other : Math.min(one, other ?? one);
  const limits = Object.values(limitKeys).flatMap((of) => {
    const smaller = least(budget.limit[of], limit[of]);
    return smaller === undefined ? [] : [[of, smaller] as const];
  });
  const ample = limits.flatMap(([of, least]) => (least === most[of] && least !== budget.limit[of] ? [of] : []));
  const narrowed: Template = {
    ...template,
    ...(ample.length === 0 ? {} : { ample }),
    budget: {
      ...budget,
      limit: Object.fromEntries(limits),
      wallClock: Math.min(budget.wallClock, bounds.wallClock ?? budget.wallClock),
      planningDepth: Math.min(budget.planningDepth, bounds.planningDepth ?? budget.planningDepth),
      fragmentSteps: Math.min(budget.fragmentSteps, bounds.fragmentSteps ?? budget.fragmentSteps),
      fragmentDepth: Math.min(budget.fragmentDepth, bounds.fragmentDepth ?? budget.fragmentDepth),
      fanOut: Math.min(budget.fanOut, bounds.fanOut ?? budget.fanOut),
    },
  };
  return { ...narrowed, digest: digestOfTemplate(narrowed) };
}
