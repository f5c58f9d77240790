// The planner for goals of any kind: strategies that take a goal apart, one after the other until one is sure, then a person.
import { isJsonObject } from '../base/json.ts';
import { type Intents, intentsJson, type PassedStrategy } from '../goals/intent.ts';
import { orderOf } from '../goals/learned.ts';
import { planOf } from '../goals/plan/plan.ts';
import { shapeOfGoal } from '../goals/split/shape.ts';
import type { EmbeddingsProfile } from '../model/profile.ts';
import type { Brief } from '../planning/brief.ts';
import type { PatternSettings, Strategy } from '../template/keys/pattern.ts';
import type { NamedModel } from '../template/model-named.ts';
import { chooseOpen } from './choose-open.ts';
import { compareOpen } from './compare-open.ts';
import { heldToGoal } from './hold-to-goal.ts';
import { takeApart } from './llm/take-apart.ts';
import { llmPlanner } from './llm.ts';
import type { Means } from './missing/serve.ts';
import { patternPlanner, readGoal, whyNotByWords, whyNotRead } from './pattern.ts';
import {
  aroundOf,
  HELP,
  impossible,
  type Planning,
  planTasks,
  type Reading,
  recordOf,
  tooLarge,
  unlessMeant,
} from './plan-tasks.ts';
import type { Planner, Proposal, Reply } from './planner.ts';

/** What needs a model is left out where there is none. */
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
  given: Pick<Planning, 'settings' | 'means' | 'embeddings'>,
  model: NamedModel,
  there: readonly Strategy[],
): Proposal {
  const { settings, means } = given;
  const { strategies, why: order } = orderOf(there, brief.learned, shapeOfGoal(brief.goal ?? ''));
  const tried: PassedStrategy[] = [];
  const before = order === undefined ? { tried } : { order, tried };
  let planning: Planning = { ...given, brief, deepens: true, before };
  let best: Reading | undefined;
  for (const strategy of strategies) {
    if (strategy === 'direct')
      return recorded(yield* llmPlanner(model, means?.strategies).propose(brief), brief, before);
    const taken: Reading | Reply =
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

/** A model chooses first; embeddings order the candidates of what it leaves to a person. */
function* whoDoes(reading: Reading, planning: Planning, model: NamedModel): ReturnType<typeof chooseOpen> {
  const held = reading.strategy === 'pattern' ? { reading, planning } : heldToGoal(reading, planning);
  const chosen = yield* chooseOpen(held.reading, held.planning, model);
  return 'ok' in chosen ? chosen : yield* compareOpen(chosen.reading, chosen.planning);
}

/** Why what a model made of a goal is left to others before it is known who does its tasks. */
function whyUnsure({ tasks, confidence, abstained }: Reading, { brief, settings }: Planning): string | undefined {
  if (abstained !== undefined) return abstained;
  if (confidence < settings.askBelow) return `its confidence is ${confidence}, below ${settings.askBelow}`;
  return tooLarge(tasks, brief, settings);
}

/** It may leave questions to people, but it has to be a plan. */
function whyNoPlan({ tasks }: Reading, planning: Planning): string | undefined {
  const planned = planOf(tasks, { ...aroundOf(planning), answers: new Map() });
  return planned.kind === 'none' ? planned.why : undefined;
}

/** A plan that a model made at once says what was tried before it. */
function recorded(reply: Reply, brief: Brief, before: Pick<Intents, 'order' | 'tried'>): Reply {
  if (!reply.ok || !isJsonObject(reply.fragment) || !Object.hasOwn(reply.fragment, 'steps')) return reply;
  const intents = intentsJson({ ...recordOf('direct', brief, before), intents: [] });
  return { ok: true, fragment: { ...reply.fragment, intents } };
}
