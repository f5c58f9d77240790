// Makes the planner that a specification names.

import { unreachable } from '../base/fault.ts';
import { ASK_BELOW, noPatternKeys, type PatternSettings, type PatternSpec } from '../template/keys/pattern.ts';
import { plannerModelOf } from '../template/model-asked.ts';
import { modelNamed } from '../template/model-named.ts';
import type { PlannerSpec } from '../template/step-spec.ts';
import type { Template } from '../template/template.ts';
import { capabilityPlanner } from './capability.ts';
import { fixedPlanner } from './fixed.ts';
import { hybridPlanner } from './hybrid.ts';
import { lispPlanner } from './lisp.ts';
import { llmPlanner } from './llm.ts';
import type { Means } from './missing/serve.ts';
import { withMissing } from './missing.ts';
import { patternPlanner } from './pattern.ts';
import { patternedPlanner } from './patterned.ts';
import type { Planner } from './planner.ts';

/** The parts of a template that planners use. */
interface PlannerSurroundings extends Pick<Template, 'models' | 'embeddings' | 'missing' | 'askBelow' | 'pattern'> {
  readonly limits: Pick<Template['limits'], 'lisp'>;
  /** A clock in milliseconds that stops rules as a last guard; by default only fuel limits them. */
  readonly now?: () => number;
}

const nothingAround: PlannerSurroundings = { limits: { lisp: {} }, models: {} };

/** `around.limits` bounds the Lisp of planners; missing limits have defaults. */
export function plannerOf(spec: PlannerSpec, around: PlannerSurroundings = nothingAround): Planner {
  const planner = plannerBy(spec, around);
  const { pattern, models, askBelow = ASK_BELOW } = around;
  if (pattern === undefined || !(spec.kind === 'hybrid' || spec.kind === 'llm' || spec.kind === 'pattern'))
    return planner;
  const model = spec.kind === 'pattern' ? undefined : modelNamed(models, spec.model);
  return patternedPlanner(planner, { pattern, model, askBelow });
}

function plannerBy(spec: PlannerSpec, around: PlannerSurroundings): Planner {
  const {
    models,
    missing,
    limits: { lisp: limits },
  } = around;
  const means = missing && { strategies: missing, model: modelNamed(models, plannerModelOf(spec)?.model), limits };
  const planner = barePlanner(spec, around, means);
  // The pattern planner searches for missing capabilities itself.
  return means === undefined || spec.kind === 'pattern' ? planner : withMissing(planner, spec.kind, means);
}

function barePlanner(spec: PlannerSpec, around: PlannerSurroundings, means: Means | undefined): Planner {
  const {
    models,
    embeddings,
    limits: { lisp: limits },
  } = around;
  switch (spec.kind) {
    case 'lisp':
      return lispPlanner(spec.source, spec.repair, limits, around.now);
    case 'fixed':
      return fixedPlanner(spec.fragment, spec.repair, limits, mender(spec.model, models), around.now);
    case 'capability':
      return capabilityPlanner(spec.name);
    case 'llm':
      return spec.strategy === undefined || spec.strategy === 'direct'
        ? llmPlanner(modelNamed(models, spec.model), means?.strategies)
        : hybridPlanner(
            settingsOf(noPatternKeys, around),
            modelNamed(models, spec.model),
            [spec.strategy],
            means,
            embeddings,
          );
    case 'pattern':
      return patternPlanner(settingsOf(spec, around), means, embeddings, Object.keys(models).length === 0);
    case 'hybrid':
      return hybridPlanner(
        settingsOf(spec, around),
        modelNamed(models, spec.model),
        spec.strategies,
        means,
        embeddings,
      );
    default:
      return unreachable(spec);
  }
}

function mender(name: string | undefined, models: PlannerSurroundings['models']): Planner | undefined {
  return name === undefined ? undefined : llmPlanner(modelNamed(models, name));
}

/** The settings of a pattern planner; the template gives the default for `askBelow`. */
export function settingsOf(
  { kinds, sequential, attachments, askBelow }: PatternSpec,
  around: Pick<Template, 'askBelow'>,
): PatternSettings {
  return { kinds, sequential, attachments, askBelow: askBelow ?? around.askBelow ?? ASK_BELOW };
}
