// A pursuit: a goal without a template, put into the frame `mission`, and the models that it needs before it begins.
import { type Issue, issue } from '../../base/issue.ts';
import { defined, isJsonArray, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { capabilityLines } from '../../goals/capability-lines.ts';
import { type GoalPlan, planOf } from '../../goals/plan/plan.ts';
import { decompose } from '../../goals/split/decompose.ts';
import type { Decomposition } from '../../goals/split/task.ts';
import type { PatternChoice } from '../../goals/split/work-pattern.ts';
import { settingsOf } from '../../planners/planner-of.ts';
import { choiceWithoutModel } from '../../planners/work-pattern-planner.ts';
import { agentNamed } from '../../template/check/models.ts';
import type { Attachment } from '../../template/keys/attachment.ts';
import { noPatternKeys, type PatternSettings, type TaskKinds } from '../../template/keys/pattern.ts';
import { missionTemplate } from '../../template/mission.ts';
import { modelNamed, type NamedModel } from '../../template/model-use.ts';
import type { Template } from '../../template/template.ts';

export interface Pursuit {
  /** References, or attachments with a kind and a label. */
  readonly attachments?: readonly (string | Attachment)[];
  readonly kinds?: TaskKinds;
  /** Runs one task at a time, each with a summary of the tasks before it; a failed task does not stop the others. */
  readonly sequential?: boolean;
  /** The least confidence, from 0 to 1, for planning by rules; below it, a model plans or a person is asked. */
  readonly askBelow?: number;
  /** Top-level keys of a template, which replace those of the frame: `models`, `agents`, `capabilities`, `roots`, … */
  readonly frame?: JsonObject;
  /** More keys of the planning step, such as `replan` and `plan_review`. */
  readonly planning?: JsonObject;
  /** Budget keys of a template: `max_total_steps`, `max_cost_budget`, … */
  readonly budget?: Readonly<Record<string, Json>>;
}

/** High limits on counts, because a goal may be a long list; money and time bound the cost. */
const room = { max_total_steps: 2_000, max_total_llm_calls: 100, max_fan_out: 100 };

/** The document for `Engine.load`. The goal is an input of the run, so that no text in it is read as a reference. */
export function missionFor({
  attachments = [],
  kinds,
  sequential = false,
  askBelow,
  frame = {},
  planning = {},
  budget,
}: Pursuit): JsonObject {
  const planner = {
    kind: 'hybrid',
    sequential,
    ...defined({ kinds: kinds === undefined ? undefined : plain(kinds), ask_below: askBelow }),
    ...(attachments.length === 0 ? {} : { attachments: attachments.map(plain) }),
  };
  const own = ownProperty(frame, 'budget') ?? {};
  return missionTemplate({
    goal: '{{ input.goal }}',
    planner,
    planning,
    finish: { convergence: { policy: 'all_success' } },
    frame: {
      roots: ['.'],
      fail_fast: false,
      ...frame,
      input: { type: 'object', required: ['goal'], properties: { goal: { type: 'string' } } },
      budget: { ...room, ...(typeof own === 'object' && !isJsonArray(own) ? own : {}), ...budget },
    },
  });
}

function plain(value: string | Attachment | TaskKinds): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** The tasks that rules read from a goal, without asking a model or starting a run. */
export interface PursuitPreview {
  readonly decomposition: Decomposition;
  /** Absent when the rules abstain. */
  readonly planned?: GoalPlan;
  /** The work pattern, when the goal is planned in phases and not task by task. */
  readonly phased?: PatternChoice;
}

export function readPursuit(template: Template, goal: string): PursuitPreview {
  const settings = settingsIn(template);
  const capabilities = capabilityLines(Object.values(template.capabilities));
  const decomposition = decompose(goal, { ...settings, capabilities });
  const { pattern } = template;
  const phased = pattern === undefined || goal.trim() === '' ? undefined : choiceWithoutModel(goal, pattern);
  const read = { decomposition, ...defined({ phased }) };
  if (decomposition.abstained !== undefined) return read;
  const { fanOut, fragmentSteps, limit } = template.budget;
  const room = Math.min(fragmentSteps, (limit.steps ?? Number.POSITIVE_INFINITY) - template.steps.length);
  const isUnmanned = Object.keys(template.models).length === 0;
  const agents = new Map(Object.values(template.agents).map(({ name, tools }) => [name, tools]));
  const around = { capabilities, settings, agents, answers: new Map(), isUnmanned, widest: fanOut, room };
  return { ...read, planned: planOf(decomposition.tasks, around) };
}

function settingsIn(template: Template): PatternSettings {
  const planner = template.steps.map(({ planning }) => planning?.planner).find((each) => each?.kind === 'hybrid');
  return settingsOf(planner?.kind === 'hybrid' ? planner : noPatternKeys, template);
}

/** The models that a goal needs, and the issues when a task needs a model but none is configured. */
export function modelsNeeded(
  template: Template,
  { decomposition, planned }: PursuitPreview,
): { readonly models: readonly NamedModel[]; readonly issues: readonly Issue[] } {
  const none = modelNamed(template.models, undefined) === undefined && Object.keys(template.models).length === 0;
  // The run may look for a missing capability, ask people and compare texts.
  const looksFor =
    (template.missing ?? template.embeddings) !== undefined && planned?.kind === 'none' && planned.wanted !== undefined;
  const unread = decomposition.abstained ?? (planned?.kind === 'none' && !looksFor ? planned.why : undefined);
  if (unread !== undefined) return { models: [], issues: none ? [unconfigured(unread)] : [] };
  const steps = planned === undefined || planned.kind === 'none' ? [] : planned.steps;
  const models: NamedModel[] = [];
  for (const step of steps) {
    if (typeof step.agent !== 'string') continue;
    const model = modelNamed(template.models, agentNamed(template, step.agent)?.model);
    if (model !== undefined) models.push(model);
    else if (none) return { models: [], issues: [unconfigured(`"${String(step.description)}" is work for a model`)] };
  }
  return { models, issues: [] };
}

function unconfigured(why: string): Issue {
  return issue('MODEL_NOT_CONFIGURED', `this goal needs a model, and none is set up: ${why}`, {
    hint: 'set OPENAI_API_KEY (or OPENAI_BASE_URL) and RECONVERGE_MODEL, pass --template FILE with a models: section, or call createEngine({ models: { default: … } })',
  });
}
