// The hybrid planner: tries strategies to decompose a goal until one is sure, and then asks a person.
import type { Failure } from '../base/failure.ts';
import { isJsonObject } from '../base/json.ts';
import { good, type Result } from '../base/result.ts';
import type { Work } from '../engine/record/call.ts';
import { strategyOrder } from '../goals/experience.ts';
import { type Intents, intentsJson, type PassedStrategy } from '../goals/intent.ts';
import { matchGoal, vetoFor } from '../goals/match/match.ts';
import { agentTasks, openTasks, planOf } from '../goals/plan/plan.ts';
import type { TaskChoice } from '../goals/plan/task-context.ts';
import { shapeOfGoal } from '../goals/split/shape.ts';
import type { EmbeddingsProfile } from '../model/profile.ts';
import type { Brief } from '../planning/brief.ts';
import type { PatternSettings, Strategy } from '../template/keys/pattern.ts';
import type { NamedModel } from '../template/model-use.ts';
import { compareOpenTasks } from './compare-tasks.ts';
import { chooseCapabilities } from './llm/choose-capabilities.ts';
import { decomposeByModel } from './llm/decompose-by-model.ts';
import type { SearchMeans } from './missing/search-capability.ts';
import { patternPlanner, readGoal, whyNotByWords, whyNotRead } from './pattern.ts';
import {
  type GoalDecomposition,
  HELP,
  impossible,
  type PlanningRequest,
  type PlanningState,
  planTasks,
  recordOf,
  taskContextOf,
  tooLarge,
  unlessMeant,
} from './plan-tasks.ts';
import type { Planner, PlannerReply, Proposal } from './planner.ts';

/** The model of a hybrid planner, and the planner that asks this model for steps. */
interface ModelMeans {
  readonly model: NamedModel | undefined;
  readonly direct: Planner;
}

/** Without a model, strategies that need one are skipped. */
export function hybridPlanner(
  settings: PatternSettings,
  { model, direct }: ModelMeans,
  strategies: readonly Strategy[] = ['pattern', 'direct'],
  means?: SearchMeans,
  embeddings?: EmbeddingsProfile,
): Planner {
  const there = strategies.filter((each) => each === 'pattern' || model !== undefined);
  const [only, another] = there;
  if (only === 'pattern' && another === undefined)
    return patternPlanner(settings, means, embeddings, model === undefined);
  if (model === undefined) return direct;
  return { propose: (brief) => propose(brief, { settings, means, embeddings }, { model, direct }, there) };
}

function* propose(
  brief: Brief,
  given: Pick<PlanningRequest, 'settings' | 'means' | 'embeddings'>,
  { model, direct }: { readonly model: NamedModel; readonly direct: Planner },
  there: readonly Strategy[],
): Proposal {
  const { settings } = given;
  const { strategies, why: order } = strategyOrder(there, brief.learned, shapeOfGoal(brief.goal ?? ''));
  const tried: PassedStrategy[] = [];
  const before = order === undefined ? { tried } : { order, tried };
  let planning: PlanningRequest = { ...given, brief, deepens: true, before };
  let best: GoalDecomposition | undefined;
  for (const strategy of strategies) {
    if (strategy === 'direct') return recorded(yield* direct.propose(brief), brief, before);
    const isByWords = strategy === 'pattern';
    const taken = isByWords
      ? good(readGoal(brief, settings))
      : yield* decomposeByModel(strategy, model, brief, given.embeddings);
    if (!taken.ok) return taken.error;
    let state: PlanningState = { decomposition: taken.value, planning };
    let why = isByWords ? whyNotRead(state) : whyUnsure(state);
    if (why === undefined) {
      const matched = yield* matchOpen(state, model);
      if (!matched.ok) return matched;
      state = matched.value;
      why = isByWords ? whyNotByWords(state) : whyNoPlan(state);
    }
    if (why === undefined) return yield* planTasks(state);
    planning = state.planning;
    tried.push({ strategy, why });
    const { tasks, confidence } = state.decomposition;
    if (tasks.length > 0 && (best === undefined || confidence > best.confidence)) best = state.decomposition;
  }
  if (best === undefined)
    return impossible(`${tried.map(({ strategy, why }) => `${strategy}: ${why}`).join('; ')}; ${HELP}`);
  const other = best.confidence < settings.askBelow ? yield* unlessMeant(best) : undefined;
  if (other !== undefined) return other;
  const matched = yield* matchOpen({ decomposition: best, planning }, model);
  return matched.ok ? yield* planTasks(matched.value) : matched;
}

/** Finds capabilities for open tasks: a model chooses first, and embeddings order the choices left to a person. */
function* matchOpen(state: PlanningState, model: NamedModel): Work<Result<PlanningState, Failure>> {
  const chosen = yield* chooseOpen(state.decomposition.strategy === 'pattern' ? state : heldToGoal(state), model);
  return chosen.ok ? yield* compareOpenTasks(chosen.value) : chosen;
}

/** The reason to pass on a model's decomposition, before capabilities are matched. */
function whyUnsure({ decomposition, planning: { brief, settings } }: PlanningState): string | undefined {
  const { tasks, confidence, abstained } = decomposition;
  if (abstained !== undefined) return abstained;
  if (confidence < settings.askBelow) return `its confidence is ${confidence}, below ${settings.askBelow}`;
  return tooLarge(tasks, brief, settings);
}

/** The reason why the tasks give no plan; open questions to people are allowed. */
function whyNoPlan({ decomposition: { tasks }, planning }: PlanningState): string | undefined {
  const planned = planOf(tasks, { ...taskContextOf(planning), answers: new Map() });
  return planned.kind === 'none' ? planned.why : undefined;
}

/** Adds the strategies tried before to a plan that a model made directly. */
function recorded(reply: PlannerReply, brief: Brief, before: Pick<Intents, 'order' | 'tried'>): PlannerReply {
  const fragment = reply.ok ? reply.value.fragment : null;
  if (!isJsonObject(fragment) || !Object.hasOwn(fragment, 'steps')) return reply;
  const intents = intentsJson({ ...recordOf('direct', brief, before), intents: [] });
  return good({ fragment: { ...fragment, intents } });
}

/** Leaves a task to a person when the goal's own words veto its capability, because a model worded the task. */
function heldToGoal(state: PlanningState): PlanningState {
  const { decomposition, planning } = state;
  const { goal = '', capabilities } = planning.brief;
  const notes: string[] = [];
  const held = new Map<string, TaskChoice>();
  const tasks = decomposition.tasks.map((task) => {
    const { description, names } = task;
    const name = names[0] ?? matchGoal(description, capabilities).certain?.name;
    const veto = name === undefined ? undefined : vetoFor(description, name, capabilities, goal);
    if (veto === undefined) return task;
    notes.push(`"${description}" may not be ${name}: ${veto}`);
    held.set(description, { kind: 'ask' });
    return { ...task, names: [] };
  });
  if (held.size === 0) return state;
  return {
    decomposition: { ...decomposition, tasks, notes: [...decomposition.notes, ...notes] },
    planning: { ...planning, choices: new Map([...(planning.choices ?? []), ...held]) },
  };
}

/**
 * Has a model choose capabilities for open tasks, in one request. Tasks with an earlier choice are skipped. Work for an
 * agent is included, because a tool may serve it without sharing a word.
 */
function* chooseOpen(state: PlanningState, model: NamedModel): Work<Result<PlanningState, Failure>> {
  const { decomposition, planning } = state;
  const { brief, choices: known = new Map() } = planning;
  if (brief.capabilities.length === 0) return good(state);
  const context = { ...taskContextOf(planning), answers: new Map() };
  const open = openTasks(decomposition.tasks, context);
  const work = agentTasks(decomposition.tasks, context);
  const tasks = decomposition.tasks.filter(
    ({ description }, index) =>
      (open.includes(description) || work.includes(description)) &&
      !known.has(description) &&
      decomposition.tasks.findIndex((each) => each.description === description) === index,
  );
  if (tasks.length === 0) return good(state);
  const chosen = yield* chooseCapabilities(tasks, model, brief);
  if (!chosen.ok) return chosen;
  const { choices, notes } = chosen.value;
  // The model is not asked again: without a choice an open task goes to a person, and work goes to its agent.
  const left = tasks.map(({ description }): readonly [string, TaskChoice] => [
    description,
    { kind: open.includes(description) ? 'ask' : 'none' },
  ]);
  return good({
    decomposition: { ...decomposition, notes: [...decomposition.notes, ...notes] },
    planning: { ...planning, choices: new Map<string, TaskChoice>([...left, ...known, ...choices]) },
  });
}
