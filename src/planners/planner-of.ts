// Makes the planner that a specification names; the planners by rule, fixed fragment and capability stand here.
import { unreachable } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { Instant } from '../base/quantity.ts';
import { good } from '../base/result.ts';
import { shownLearned } from '../goals/experience.ts';
import type { Limits } from '../lisp/limits.ts';
import type { Brief } from '../planning/brief.ts';
import { questionIn } from '../planning/question.ts';
import { ASK_BELOW, noPatternKeys, type PatternSettings, type PatternSpec } from '../template/keys/pattern.ts';
import { modelNamed, plannerModelOf } from '../template/model-use.ts';
import type { Expression } from '../template/references.ts';
import type { PlannerSpec } from '../template/step-spec.ts';
import type { Template } from '../template/template.ts';
import { evaluateRule } from './evaluate-rule.ts';
import { hybridPlanner } from './hybrid.ts';
import type { PromptTemplate } from './llm/planning-system.ts';
import { llmPlanner } from './llm.ts';
import type { SearchMeans } from './missing/search-capability.ts';
import { withMissing } from './missing.ts';
import { patternPlanner } from './pattern.ts';
import type { Planner } from './planner.ts';
import { workPatternPlanner } from './work-pattern-planner.ts';

/** The parts of a template that planners use. Without capabilities, a model is shown those of its brief. */
interface PlannerSurroundings
  extends Pick<Template, 'models' | 'embeddings' | 'missing' | 'askBelow' | 'pattern'>,
    Partial<Omit<PromptTemplate, 'models'>> {
  readonly limits: Pick<Template['limits'], 'lisp'>;
  /** A clock that stops rules as a last guard; by default only fuel limits them. */
  readonly now?: () => Instant;
}

const nothingAround: PlannerSurroundings = { limits: { lisp: {} }, models: {} };

/** `around.limits` bounds the Lisp of planners; missing limits have defaults. */
export function plannerOf(spec: PlannerSpec, around: PlannerSurroundings = nothingAround): Planner {
  const planner = plannerBy(spec, around);
  const { pattern, models, askBelow = ASK_BELOW } = around;
  if (pattern === undefined || !(spec.kind === 'hybrid' || spec.kind === 'llm' || spec.kind === 'pattern'))
    return planner;
  const model = spec.kind === 'pattern' ? undefined : modelNamed(models, spec.model);
  return workPatternPlanner(planner, { pattern, model, askBelow });
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

function barePlanner(spec: PlannerSpec, around: PlannerSurroundings, means: SearchMeans | undefined): Planner {
  const {
    models,
    embeddings,
    limits: { lisp: limits },
  } = around;
  switch (spec.kind) {
    case 'lisp':
      return rulePlanner(spec.source, spec.repair, limits, around.now);
    case 'fixed':
      return fixedPlanner(spec.fragment, spec.repair, limits, repairPlanner(spec.model, around), around.now);
    case 'capability':
      return capabilityPlanner(spec.name);
    case 'llm': {
      const direct = directPlanner(spec.model, around);
      return spec.strategy === undefined || spec.strategy === 'direct'
        ? direct
        : hybridPlanner(
            settingsOf(noPatternKeys, around),
            { model: modelNamed(models, spec.model), direct },
            [spec.strategy],
            means,
            embeddings,
          );
    }
    case 'pattern':
      return patternPlanner(settingsOf(spec, around), means, embeddings, Object.keys(models).length === 0);
    case 'hybrid':
      return hybridPlanner(
        settingsOf(spec, around),
        { model: modelNamed(models, spec.model), direct: directPlanner(spec.model, around) },
        spec.strategies,
        means,
        embeddings,
      );
    default:
      return unreachable(spec);
  }
}

function repairPlanner(name: string | undefined, { missing: _, ...around }: PlannerSurroundings): Planner | undefined {
  return name === undefined ? undefined : directPlanner(name, around);
}

/** A model plans the steps. */
function directPlanner(model: string | undefined, around: PlannerSurroundings): Planner {
  const { models, missing, capabilities, agents, skills, contextTags, steps } = around;
  const isWhole = capabilities && agents && skills && contextTags && steps;
  const template = isWhole && { ...around, capabilities, agents, skills, contextTags, steps };
  return llmPlanner(modelNamed(models, model), missing, template);
}

/** The settings of a pattern planner; the template gives the default for `askBelow`. */
export function settingsOf(
  { kinds, sequential, attachments, askBelow }: PatternSpec,
  around: Pick<Template, 'askBelow'>,
): PatternSettings {
  return { kinds, sequential, attachments, askBelow: askBelow ?? around.askBelow ?? ASK_BELOW };
}

/** The rule planner: an expression over the packet returns the fragment as data. */
function rulePlanner(
  source: Expression,
  repair: Expression | undefined,
  limits: Partial<Limits>,
  now?: () => Instant,
): Planner {
  return {
    // biome-ignore lint/correctness/useYield: it needs nothing of the world
    *propose(brief) {
      return evaluateRule((isRepair(brief) ? repair : undefined) ?? source, brief, limits, now);
    },
  };
}

/** The fixed planner: proposes the given fragment; a repair is left to the repair rule, or else to a model. */
function fixedPlanner(
  fragment: Json,
  repair: Expression | undefined,
  limits: Partial<Limits>,
  repairs?: Planner,
  now?: () => Instant,
): Planner {
  return {
    *propose(brief) {
      if (!isRepair(brief)) return good({ fragment });
      if (repair !== undefined) return evaluateRule(repair, brief, limits, now);
      return repairs === undefined ? good({ fragment }) : yield* repairs.propose(brief);
    },
  };
}

/** Tells whether the last proposal was refused, or a plan has failed. */
function isRepair({ feedback, repair }: Brief): boolean {
  return feedback !== undefined || repair !== undefined;
}

/** The capability planner: passes its brief to a capability, and calls it again after its question has been answered. */
function capabilityPlanner(name: string): Planner {
  return {
    *propose(brief) {
      const { clarifications = [] } = brief;
      for (let asked = 0; ; asked++) {
        const outcome = yield { kind: 'capability', name, input: { brief: asJson(brief) } };
        if (!outcome.ok) return outcome;
        const isAnswered = questionIn(outcome.value) !== undefined && asked < clarifications.length;
        if (!isAnswered) return good({ fragment: outcome.value });
      }
    },
  };
}

/** Copies the brief as JSON, because its type does not say that it is JSON. */
function asJson({ learned, ...brief }: Brief): Json {
  return JSON.parse(JSON.stringify(learned === undefined ? brief : { ...brief, learned: shownLearned(learned) }));
}
