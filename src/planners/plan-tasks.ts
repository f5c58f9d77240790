// Turns the tasks of a goal into a fragment, and asks people for missing values.
import { defined, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { good } from '../base/result.ts';
import { schemaOf } from '../contract/schema.ts';
import type { CallOutcome } from '../engine/record/call.ts';
import type { CapabilityLine } from '../goals/capability-lines.ts';
import { type Intents, intentsJson } from '../goals/intent.ts';
import type { MissingCapability } from '../goals/plan/missing-capability.ts';
import { longestChain, planOf } from '../goals/plan/plan.ts';
import type { OpenQuestion, TaskContext } from '../goals/plan/task-context.ts';
import { shapeOfGoal } from '../goals/split/shape.ts';
import type { Decomposition } from '../goals/split/task.ts';
import type { EmbeddingsProfile } from '../model/profile.ts';
import type { Brief } from '../planning/brief.ts';
import type { PatternSettings, Strategy } from '../template/keys/pattern.ts';
import type { SearchMeans, ServingCapability } from './missing/search-capability.ts';
import { capabilitySearch } from './missing/search-for-plan.ts';
import type { PlannerReply, PlannerWork, Proposal } from './planner.ts';

/** The tasks of a goal, and the strategy that found them. */
export interface GoalDecomposition extends Omit<Decomposition, 'signals'> {
  readonly strategy: Strategy;
}

/** A decomposed goal, and the knowledge to plan it with. */
export interface PlanningState {
  readonly decomposition: GoalDecomposition;
  readonly planning: PlanningRequest;
}

/** The brief and the means of a planner, with results of earlier steps. */
export interface PlanningRequest {
  readonly brief: Brief;
  readonly settings: PatternSettings;
  /** Tasks of several calls become nested planning steps. */
  readonly deepens: boolean;
  /** No agent can do work without a capability. */
  readonly isUnmanned?: boolean;
  /** Earlier strategies, for the record. */
  readonly before?: Pick<Intents, 'order' | 'tried'>;
  /** The embeddings model that compares open tasks with capabilities; absent when none is configured. */
  readonly embeddings?: EmbeddingsProfile | undefined;
  /** The similarities from the embeddings model. */
  readonly alike?: TaskContext['alike'];
  /** A model's choices for open tasks. */
  readonly choices?: TaskContext['choices'];
  /** The means to search for missing capabilities; absent when the template allows none. */
  readonly means?: SearchMeans | undefined;
}

export function taskContextOf(planning: PlanningRequest): Omit<TaskContext, 'answers'> {
  const { brief, settings, deepens, alike, choices, isUnmanned = false } = planning;
  const { capabilities, agents = [], learned, goal = '', bounds, budget } = brief;
  return {
    capabilities,
    agents: new Map(agents.map(({ name, tools }) => [name, tools])),
    settings,
    learned,
    alike,
    choices,
    isUnmanned,
    widest: bounds.max_fan_out,
    room: Math.min(bounds.max_fragment_steps, budget.steps ?? Number.POSITIVE_INFINITY),
    ...(deepens && bounds.max_planning_depth > 0 ? { deepens: { goal } } : {}),
  };
}

export function* planTasks({ decomposition, planning }: PlanningState): Proposal {
  const { tasks, notes, confidence, strategy } = decomposition;
  const { brief, settings, before, means } = planning;
  const large = tooLarge(tasks, brief, settings);
  if (large !== undefined) return impossible(large);
  const answers = new Map<string, Json>();
  const served = new Map<string, CapabilityLine>();
  const more = means && capabilitySearch(brief, means);
  for (;;) {
    const planned = planOf(tasks, { ...taskContextOf(planning), answers, served });
    if (planned.kind === 'none') {
      const { wanted } = planned;
      if (wanted === undefined || more === undefined) return impossible(planned.why);
      const serving = yield* more.search(wanted);
      if (!serving.ok) return serving.error;
      served.set(wanted.description, lineOf(serving.value, wanted));
      continue;
    }
    if (planned.kind === 'plan') {
      const { steps, intents, findings, issues } = planned;
      const how = [
        `${words[strategy]} (confidence ${confidence})`,
        ...notes,
        ...findings,
        ...issues.map(({ message }) => message),
      ];
      const record = intentsJson({ ...recordOf(strategy, brief, before), intents });
      const fragment = { rationale: how.join('; '), steps, intents: record };
      return good(more === undefined ? { fragment } : more.complete(fragment));
    }
    for (const open of planned.questions) {
      const said = yield* ask(open);
      if (!said.ok) return said;
      answers.set(open.question, said.value);
    }
  }
}

/** A written capability gets a line without `input` when it takes the whole task as text. */
function lineOf(serving: ServingCapability, { name, description }: MissingCapability): CapabilityLine {
  if (serving.kind === 'granted') return serving.line;
  if (serving.kind === 'found') return serving.declaration;
  const input: JsonObject = schemaOf(serving.capability.input ?? null);
  const takesTask = ownProperty(input.properties ?? null, 'task') !== undefined;
  return { name, description, effects: ['pure'], ...(takesTask ? {} : { input }) };
}

const words: Readonly<Record<Strategy, string>> = {
  pattern: "the goal's own words, in their order",
  intent_first: 'decomposed by a model that saw no capabilities',
  grounded: 'decomposed by a model with the nearest capabilities',
  direct: 'planned by a model',
};

export function recordOf(
  strategy: Strategy,
  { goal = '' }: Brief,
  { order, tried = [] }: Pick<Intents, 'order' | 'tried'> = {},
): Omit<Intents, 'intents'> {
  return {
    goal,
    strategy,
    shape: shapeOfGoal(goal),
    ...defined({ order }),
    ...(tried.length === 0 ? {} : { tried }),
  };
}

/** Asks a person to confirm the tasks; undefined when they confirm. */
export function* unlessMeant({ tasks }: GoalDecomposition): PlannerWork<PlannerReply | undefined> {
  const lines = tasks.map(
    ({ description, kind }, index) => `${index + 1}. ${description} (${kind.replaceAll('_', ' ')})`,
  );
  const question = `Is this what is to be done?\n${lines.join('\n')}`;
  const said = yield* ask({ question, answer: { type: 'boolean' } });
  if (!said.ok) return said;
  return said.value === true ? undefined : impossible(`the person did not confirm the tasks; ${HELP}`);
}

function* ask({ question, answer }: OpenQuestion): PlannerWork<CallOutcome> {
  return yield { kind: 'question', question, answer };
}

export const HELP =
  'write it as a list of separate orders, or configure a model and use a planner of kind "hybrid" or "llm"';

export function tooLarge(
  tasks: Decomposition['tasks'],
  { bounds }: Brief,
  { sequential }: PatternSettings,
): string | undefined {
  const { max_fragment_steps: most, max_fragment_depth: deepest } = bounds;
  if (tasks.length > most) {
    return `the goal has ${tasks.length} tasks, and a plan may have ${most} (max_fragment_steps); raise it, or give the goal in parts`;
  }
  const chain = longestChain(tasks, sequential);
  if (chain <= deepest) return undefined;
  return `the goal has a chain of ${chain} tasks, and a plan may have ${deepest} (max_fragment_depth); raise it, or give the goal in parts`;
}

export function impossible(why: string): PlannerReply {
  return good({ fragment: { impossible: why } });
}
