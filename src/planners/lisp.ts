// The rule planner: an expression over the packet returns the fragment as data.
import type { Limits } from '../lisp/limits.ts';
import type { Expression } from '../template/references.ts';
import { evaluateRule } from './evaluate-rule.ts';
import type { Planner } from './planner.ts';
import { repairFor } from './repair.ts';

export function lispPlanner(
  source: Expression,
  repair: Expression | undefined,
  limits: Partial<Limits>,
  now?: () => number,
): Planner {
  return {
    // biome-ignore lint/correctness/useYield: it needs nothing of the world
    *propose(brief) {
      return evaluateRule(repairFor(brief, repair) ?? source, brief, limits, now);
    },
  };
}
