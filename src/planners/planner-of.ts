// Which planner a declaration means.

import { unreachable } from '../base/fault.ts';
import { modelNamed, type NamedModel } from '../template/model-named.ts';
import type { PlannerSpec } from '../template/step-spec.ts';
import type { Template } from '../template/template.ts';
import { capabilityPlanner } from './capability.ts';
import { fixedPlanner } from './fixed.ts';
import { hybridPlanner } from './hybrid.ts';
import { lispPlanner } from './lisp.ts';
import { llmPlanner } from './llm.ts';
import { patternPlanner } from './pattern.ts';
import type { Planner } from './planner.ts';

/** Of the template, what planners are bounded by and may ask. */
interface PlannerSurroundings extends Pick<Template, 'models'> {
  readonly limits: Pick<Template['limits'], 'lisp'>;
}

const nothingAround: PlannerSurroundings = { limits: { lisp: {} }, models: {} };

/** `limits` bound the planners' Lisp; what they leave out has its default. */
export function plannerOf(spec: PlannerSpec, around: PlannerSurroundings = nothingAround): Planner {
  const {
    models,
    limits: { lisp: limits },
  } = around;
  switch (spec.kind) {
    case 'lisp':
      return lispPlanner(spec.source, spec.repair, limits);
    case 'fixed':
      return fixedPlanner(spec.fragment, spec.repair, limits, mender(spec.model, models));
    case 'capability':
      return capabilityPlanner(spec.name);
    case 'llm':
      return llmPlanner(modelNamed(models, spec.model));
    case 'pattern':
      return patternPlanner(spec);
    case 'hybrid':
      return hybridPlanner(spec, planned(modelNamed(models, spec.model)));
    default:
      return unreachable(spec);
  }
}

function mender(name: string | undefined, models: PlannerSurroundings['models']): Planner | undefined {
  return name === undefined ? undefined : llmPlanner(modelNamed(models, name));
}

function planned(model: NamedModel | undefined): Planner | undefined {
  return model && llmPlanner(model);
}
