// The planner that always gives the fragment it was given.
import type { Json } from '../base/json.ts';
import type { Limits } from '../lisp/limits.ts';
import type { Expression } from '../template/step-spec.ts';
import { evaluateRule } from './evaluate-rule.ts';
import type { Planner } from './planner.ts';
import { repairFor } from './repair.ts';

export function fixedPlanner(fragment: Json, repair: Expression | undefined, limits: Partial<Limits>): Planner {
  return {
    // biome-ignore lint/correctness/useYield: it needs nothing of the world
    *propose(brief) {
      const mended = repairFor(brief, repair);
      return mended === undefined ? { ok: true, fragment } : evaluateRule(mended, brief, limits);
    },
  };
}
