// Which planner a declaration means.

import { type Failure, failure } from '../base/failure.ts';
import { unreachable } from '../base/fault.ts';
import { modelNamed } from '../template/model-named.ts';
import type { PlannerSpec } from '../template/step-spec.ts';
import type { Template } from '../template/template.ts';
import { capabilityPlanner } from './capability.ts';
import { fixedPlanner } from './fixed.ts';
import { lispPlanner } from './lisp.ts';
import { llmPlanner } from './llm.ts';
import type { Planner } from './planner.ts';

/** Of the template, what planners are bounded by and may ask. */
interface PlannerSurroundings extends Pick<Template, 'models'> {
  readonly limits: Pick<Template['limits'], 'lisp'>;
}

const nothingAround: PlannerSurroundings = { limits: { lisp: {} }, models: {} };

/** `limits` bound the planners' Lisp; what they leave out has its default. A kind that cannot run yet answers so. */
export function plannerOf(spec: PlannerSpec, around: PlannerSurroundings = nothingAround): Planner {
  const {
    models,
    limits: { lisp: limits },
  } = around;
  switch (spec.kind) {
    case 'lisp':
      return lispPlanner(spec.source, spec.repair, limits);
    case 'fixed':
      return fixedPlanner(spec.fragment, spec.repair, limits);
    case 'capability':
      return capabilityPlanner(spec.name);
    case 'llm':
      return llmPlanner(modelNamed(models, spec.model));
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
