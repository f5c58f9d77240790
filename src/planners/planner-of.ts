// Which planner a declaration means.

import { type Failure, failure } from '../base/failure.ts';
import { unreachable } from '../base/fault.ts';
import type { Limits } from '../lisp/limits.ts';
import type { PlannerSpec } from '../template/step-spec.ts';
import { capabilityPlanner } from './capability.ts';
import { fixedPlanner } from './fixed.ts';
import { lispPlanner } from './lisp.ts';
import type { Planner } from './planner.ts';

/** `limits` bound the planners' Lisp; what they leave out has its default. A kind that cannot run yet answers so. */
export function plannerOf(spec: PlannerSpec, limits: Partial<Limits> = {}): Planner {
  switch (spec.kind) {
    case 'lisp':
      return lispPlanner(spec.source, spec.repair, limits);
    case 'fixed':
      return fixedPlanner(spec.fragment, spec.repair, limits);
    case 'capability':
      return capabilityPlanner(spec.name);
    case 'llm':
      return refusing(
        failure('MODEL_NOT_CONFIGURED', 'a planner of kind "llm" needs a model, and none is configured', never),
      );
    case 'pattern':
    case 'hybrid':
      return refusing(
        failure('FEATURE_UNAVAILABLE', `a planner of kind "${spec.kind}" is not run by this version`, never),
      );
    default:
      return unreachable(spec);
  }
}

const never = { retry: 'never' } as const;

function refusing(why: Failure): Planner {
  return {
    // biome-ignore lint/correctness/useYield: it asks for nothing
    *propose() {
      return { ok: false, failure: why };
    },
  };
}
