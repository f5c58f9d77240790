// The hybrid planner: tries strategies to decompose a goal until one is sure, and then asks a person.
import { isJsonObject } from '../base/json.ts';
import type { Work } from '../engine/record/call.ts';
import { type Intents, intentsJson, type PassedStrategy } from '../goals/intent.ts';
import { orderOf } from '../goals/learned.ts';
import { matchGoal, vetoFor } from '../goals/match/match.ts';
import { agentTasks, openTasks, planOf } from '../goals/plan/plan.ts';
import type { Choice } from '../goals/plan/task-context.ts';
import { shapeOfGoal } from '../goals/split/shape.ts';
import type { EmbeddingsProfile } from '../model/profile.ts';
import type { Brief } from '../planning/brief.ts';
import type { PatternSettings, Strategy } from '../template/keys/pattern.ts';
import type { NamedModel } from '../template/model-named.ts';
import { compareOpen } from './compare-open.ts';
import { chooseCapabilities } from './llm/choose.ts';
import { takeApart } from './llm/take-apart.ts';
import { llmPlanner } from './llm.ts';
import type { Means } from './missing/serve.ts';
import { patternPlanner, readGoal, whyNotByWords, whyNotRead } from './pattern.ts';
import {
  type GoalDecomposition,
  HELP,
  impossible,
  type PlanningRequest,
  planTasks,
  recordOf,
  taskContextOf,
  tooLarge,
  unlessMeant,
} from './plan-tasks.ts';
import type { Planner, Proposal, Reply } from './planner.ts';

/** Without a model, strategies that need one are skipped. */
export function hybridPlanner(
  settings: PatternSettings,
  model: NamedModel | undefined,
  strategies: readonly Strategy[] = ['pattern', 'direct'],
  means?: Means,
  embeddings?: EmbeddingsProfile,
): Planner {
  const there = strategies.filter((each) => each === 'pattern' || model !== undefined);
  const [only, another] = there;
  if (only === 'pattern' && another === undefined)
    return patternPlanner(settings, means, embeddings, model === undefined);
  if (model === undefined) return llmPlanner(model);
  return { propose: (brief) => propose(brief, { settings, means, embeddings }, model, there) };
}

function* propose(
  brief: Brief,
  given: Pick<PlanningRequest, 'settings' | 'means' | 'embeddings'>,
  model: NamedModel,
  there: readonly Strategy[],
): Proposal {
  const { settings, means } = given;
  const { strategies, why: order } = orderOf(there, brief.learned, shapeOfGoal(brief.goal ?? ''));
  const tried: PassedStrategy[] = [];
  const before = order === undefined ? { tried } : { order, tried };
  let planning: PlanningRequest = { ...given, brief, deepens: true, before };
  let best: GoalDecomposition | undefined;
  for (const strategy of strategies) {
    if (strategy === 'direct')
      return recorded(yield* llmPlanner(model, means?.strategies).propose(brief), brief, before);
    const taken: GoalDecomposition | Reply =
      strategy === 'pattern' ? readGoal(brief, settings) : yield* takeApart(strategy, model, brief, given.embeddings);
    if ('ok' in taken) return taken;
    const unread = strategy === 'pattern' ? whyNotRead(taken, planning) : whyUnsure(taken, planning);
    const found = unread === undefined ? yield* whoDoes(taken, planning, model) : { reading: taken, planning };
    if ('ok' in found) return found;
    const { reading } = found;
    planning = found.planning;
    const why = unread ?? (strategy === 'pattern' ? whyNotByWords(reading, planning) : whyNoPlan(reading, planning));
    if (why === undefined) return yield* planTasks(reading, planning);
    tried.push({ strategy, why });
    if (reading.tasks.length > 0 && (best === undefined || reading.confidence > best.confidence)) best = reading;
  }
  if (best === undefined)
    return impossible(`${tried.map(({ strategy, why }) => `${strategy}: ${why}`).join('; ')}; ${HELP}`);
  const other = best.confidence < settings.askBelow ? yield* unlessMeant(best) : undefined;
  if (other !== undefined) return other;
  const found = yield* whoDoes(best, planning, model);
  return 'ok' in found ? found : yield* planTasks(found.reading, found.planning);
}

/** Finds capabilities for open tasks: a model chooses first, and embeddings order the choices left to a person. */
function* whoDoes(
  reading: GoalDecomposition,
  planning: PlanningRequest,
  model: NamedModel,
): ReturnType<typeof chooseOpen> {
  const held = reading.strategy === 'pattern' ? { reading, planning } : heldToGoal(reading, planning);
  const chosen = yield* chooseOpen(held.reading, held.planning, model);
  return 'ok' in chosen ? chosen : yield* compareOpen(chosen.reading, chosen.planning);
}

/** The reason to pass on a model's decomposition, before capabilities are matched. */
function whyUnsure(
  { tasks, confidence, abstained }: GoalDecomposition,
  { brief, settings }: PlanningRequest,
): string | undefined {
  if (abstained !== undefined) return abstained;
  if (confidence < settings.askBelow) return `its confidence is ${confidence}, below ${settings.askBelow}`;
  return tooLarge(tasks, brief, settings);
}

/** The reason why the tasks give no plan; open questions to people are allowed. */
function whyNoPlan({ tasks }: GoalDecomposition, planning: PlanningRequest): string | undefined {
  const planned = planOf(tasks, { ...taskContextOf(planning), answers: new Map() });
  return planned.kind === 'none' ? planned.why : undefined;
}

/** Adds the strategies tried before to a plan that a model made directly. */
function recorded(reply: Reply, brief: Brief, before: Pick<Intents, 'order' | 'tried'>): Reply {
  if (!reply.ok || !isJsonObject(reply.fragment) || !Object.hasOwn(reply.fragment, 'steps')) return reply;
  const intents = intentsJson({ ...recordOf('direct', brief, before), intents: [] });
  return { ok: true, fragment: { ...reply.fragment, intents } };
}

interface HeldTasks {
  readonly reading: GoalDecomposition;
  readonly planning: PlanningRequest;
}

/** Leaves a task to a person when the goal's own words veto its capability, because a model worded the task. */
function heldToGoal(reading: GoalDecomposition, planning: PlanningRequest): HeldTasks {
  const { goal = '', capabilities } = planning.brief;
  const notes: string[] = [];
  const held = new Map<string, Choice>();
  const tasks = reading.tasks.map((task) => {
    const { description, names } = task;
    const name = names[0] ?? matchGoal(description, capabilities).certain?.name;
    const veto = name === undefined ? undefined : vetoFor(description, name, capabilities, goal);
    if (veto === undefined) return task;
    notes.push(`"${description}" may not be ${name}: ${veto}`);
    held.set(description, { kind: 'ask' });
    return { ...task, names: [] };
  });
  if (held.size === 0) return { reading, planning };
  return {
    reading: { ...reading, tasks, notes: [...reading.notes, ...notes] },
    planning: { ...planning, choices: new Map([...(planning.choices ?? []), ...held]) },
  };
}

interface ChosenTasks {
  readonly reading: GoalDecomposition;
  readonly planning: PlanningRequest;
}

/**
 * Has a model choose capabilities for open tasks, in one request. Tasks with an earlier choice are skipped. Work for an
 * agent is included, because a tool may serve it without sharing a word.
 */
function* chooseOpen(
  reading: GoalDecomposition,
  planning: PlanningRequest,
  model: NamedModel,
): Work<ChosenTasks | Reply> {
  const { brief, choices: known = new Map() } = planning;
  if (brief.capabilities.length === 0) return { reading, planning };
  const around = { ...taskContextOf(planning), answers: new Map() };
  const open = openTasks(reading.tasks, around);
  const work = agentTasks(reading.tasks, around);
  const tasks = reading.tasks.filter(
    ({ description }, index) =>
      (open.includes(description) || work.includes(description)) &&
      !known.has(description) &&
      reading.tasks.findIndex((each) => each.description === description) === index,
  );
  if (tasks.length === 0) return { reading, planning };
  const chosen = yield* chooseCapabilities(tasks, model, brief);
  if ('ok' in chosen) return chosen;
  // The model is not asked again: without a choice an open task goes to a person, and work goes to its agent.
  const left = tasks.map(({ description }): readonly [string, Choice] => [
    description,
    { kind: open.includes(description) ? 'ask' : 'none' },
  ]);
  return {
    reading: { ...reading, notes: [...reading.notes, ...chosen.notes] },
    planning: { ...planning, choices: new Map<string, Choice>([...left, ...known, ...chosen.choices]) },
  };
}
