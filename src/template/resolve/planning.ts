// What a planning step asks for, and of whom.
import type { JsonObject } from '../../base/json.ts';
import { choiceAt, defined, durationAt, lispAt, mapAt, numberAt, textAt, wordsAt } from '../keys/readers.ts';
import { defaultReplan, type PlannerSpec, type PlanningSpec, type ReplanSpec } from '../step-spec.ts';
import { readNeeds } from './needs.ts';
import { readPattern, readStrategies } from './pattern.ts';

const PROPOSALS = 3;

/** Of a planning step, or of the template's own repair planner. */
export function readPlanning(raw: JsonObject): PlanningSpec {
  const settings = mapAt(raw, 'planner');
  const replan = mapAt(raw, 'replan');
  const needs = readNeeds(raw.needs);
  return defined<PlanningSpec>({
    planner: settings === undefined ? undefined : readPlanner(settings),
    goal: textAt(raw, 'goal'),
    allow: wordsAt(raw, 'allow'),
    deny: wordsAt(raw, 'deny'),
    constraints: wordsAt(raw, 'constraints'),
    target: textAt(raw, 'convergence_target'),
    needs: needs.length === 0 ? undefined : needs,
    maxAttempts: numberAt(raw, 'max_attempts') ?? PROPOSALS,
    onPlanningFailure: choiceAt(raw, 'on_planning_failure', ['fail', 'tolerate']),
    replan: replan === undefined ? undefined : readReplan(replan),
    review: readReview(raw),
  });
}

/** What is not written is as in the seeds. */
function readReplan(raw: JsonObject): ReplanSpec {
  return defined<ReplanSpec>({
    max: numberAt(raw, 'max'),
    scope: choiceAt(raw, 'scope', ['tail', 'phase']) ?? defaultReplan.scope,
    approval: choiceAt(raw, 'approval', ['never', 'on_budget', 'always']) ?? defaultReplan.approval,
    afterLast: choiceAt(raw, 'then', ['fail', 'ask']) ?? defaultReplan.afterLast,
    maxAttempts: numberAt(raw, 'max_replan_attempts') ?? defaultReplan.maxAttempts,
    cooldown: durationAt(raw, 'replan_cooldown') ?? defaultReplan.cooldown,
  });
}

function readReview(raw: JsonObject): PlanningSpec['review'] {
  const { plan_review: review } = raw;
  if (review === true || review === 'always') return 'always';
  const when = lispAt(mapAt(raw, 'plan_review') ?? {}, 'when');
  return when === undefined ? undefined : { when };
}

function readPlanner(settings: JsonObject): PlannerSpec | undefined {
  const source = lispAt(settings, 'source');
  const repair = lispAt(settings, 'repair');
  const name = textAt(settings, 'name');
  const model = textAt(settings, 'model');
  const asked = defined({ model });
  switch (settings.kind) {
    case 'lisp':
      return source && { kind: 'lisp', source, ...defined({ repair }) };
    case 'fixed': {
      const { fragment } = settings;
      return fragment === undefined ? undefined : { kind: 'fixed', fragment, ...defined({ repair }), ...asked };
    }
    case 'capability':
      return name === undefined ? undefined : { kind: 'capability', name };
    case 'llm':
      return { kind: 'llm', ...asked, ...strategyOf(settings) };
    case 'pattern':
      return { kind: 'pattern', ...readPattern(settings) };
    case 'hybrid':
      return { kind: 'hybrid', ...readPattern(settings), ...asked, ...strategiesOf(settings) };
    default:
      return undefined;
  }
}

function strategyOf(settings: JsonObject): Pick<PlannerSpec & { kind: 'llm' }, 'strategy'> {
  const strategy = choiceAt(settings, 'strategy', ['intent_first', 'grounded', 'direct']);
  return defined({ strategy });
}

function strategiesOf(settings: JsonObject): Pick<PlannerSpec & { kind: 'hybrid' }, 'strategies'> {
  const strategies = readStrategies(settings);
  return defined({ strategies });
}
