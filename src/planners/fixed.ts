// The fixed planner: always proposes the given fragment, except for repairs.
import type { Json } from '../base/json.ts';
import type { Limits } from '../lisp/limits.ts';
import type { Expression } from '../template/references.ts';
import { evaluateRule } from './evaluate-rule.ts';
import type { Planner } from './planner.ts';
import { isMending, repairFor } from './repair.ts';

/** A refused or failed plan is replaced by the repair rule, or else by `mender`, or else proposed again. */
export function fixedPlanner(
  fragment: Json,
  repair: Expression | undefined,
  limits: Partial<Limits>,
  mender?: Planner,
  now?: () => number,
): Planner {
  return {
    *propose(brief) {
      const rule = repairFor(brief, repair);
      if (rule !== undefined) return evaluateRule(rule, brief, limits, now);
      if (mender !== undefined && isMending(brief)) return yield* mender.propose(brief);
      return { ok: true, fragment };
    },
  };
}
