// Turns the tasks of a goal into steps with dependencies, and into the intents that the steps serve.
import { type Issue, issue } from '../../base/issue.ts';
import { defined, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { defaultAgent } from '../../template/keys/agent.ts';
import { RESULTS } from '../../template/mission.ts';
import { refinementsIn } from '../arguments/refinement.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import type { Intent, PerformerChoice } from '../intent.ts';
import { personQuestionIn } from '../split/person-question.ts';
import { shapeOfIntent } from '../split/shape.ts';
import type { Task } from '../split/task.ts';
import { type DraftTask, foldTasks } from './fold-tasks.ts';
import type { MissingCapability } from './missing-capability.ts';
import { stepNames } from './step-name.ts';
import type { EarlierTask, OpenQuestion, TaskContext, TaskWork } from './task-context.ts';
import { workOf } from './task-work.ts';

interface Plan {
  readonly steps: readonly JsonObject[];
  /** One intent for each task. */
  readonly intents: readonly Intent[];
  /** Interpretations beyond the words. */
  readonly findings: readonly string[];
  /** Issues for words and answers that no step uses; the intents hold them too. */
  readonly issues: readonly Issue[];
}

export type GoalPlan =
  | (Plan & { readonly kind: 'plan' })
  /** The plan without the answers to its questions. */
  | (Plan & { readonly kind: 'questions'; readonly questions: readonly OpenQuestion[] })
  /** No plan, with the reason and the capability that would help. */
  | { readonly kind: 'none'; readonly why: string; readonly wanted?: MissingCapability };

/** When fan-outs exceed the room for steps, they are narrowed to a common width. */
export function planOf(tasks: readonly Task[], around: TaskContext): GoalPlan {
  const planned = planWith(tasks, around);
  const widest = planned.kind === 'none' ? undefined : narrowed(planned.steps, around);
  return widest === undefined ? planned : planWith(tasks, { ...around, widest });
}

/** The common width for fan-outs that exceed the room; undefined when all fit. Narrow fan-outs leave their room to wide ones. */
function narrowed(steps: readonly JsonObject[], { room = Number.POSITIVE_INFINITY }: TaskContext): number | undefined {
  const widths = steps.flatMap(({ max_width }) => (typeof max_width === 'number' ? [max_width] : []));
  let left = room - steps.length;
  for (const [index, width] of widths.sort((one, other) => one - other).entries()) {
    const share = Math.floor(left / (widths.length - index));
    if (width > share) return Math.max(1, share);
    left -= width;
  }
  return undefined;
}

function planWith(tasks: readonly Task[], around: TaskContext): GoalPlan {
  const { drafted, drafts, places, notes } = foldedOf(tasks, around);
  const { sequential } = around.settings;
  const names = drafts.map(({ name }) => name);
  const questions: OpenQuestion[] = [];
  const steps: JsonObject[] = [];
  const findings: string[] = [...notes];
  const done: PlannedTask[] = [];
  const takes = new Map<string, JsonObject>();
  for (const draft of drafts) {
    const { name, task, work, after, earlier } = draft;
    if ('why' in work) {
      // The open call before is settled first: it may absorb this task, or provide the list that it needs.
      if (questions.length > 0 && (task.item !== undefined || refinementsIn(task.description).length > 0)) break;
      const { why, wanted } = work;
      return { kind: 'none', why, ...defined({ wanted }) };
    }
    questions.push(...work.questions);
    findings.push(...(work.findings ?? []));
    for (const [each, contract] of work.takes ?? []) if (!takes.has(each)) takes.set(each, contract);
    const dependencies = after.map((at) => names[at] ?? '');
    const attachments = task.attachments.filter(({ ref }) => !ref.includes('{{'));
    const step: JsonObject & { readonly name: string } = {
      name,
      description: task.description,
      ...(dependencies.length === 0 ? {} : { dependencies }),
      ...agreed(earlier),
      ...work.step,
      ...(attachments.length === 0 ? {} : { attachments: attachments.map((each) => ({ ...each })) }),
      ...(sequential && task.kind !== 'clarification' ? { on_failure: 'skip' } : {}),
    };
    const placed = step.type === 'planning' ? inItsPlace(step, names) : [step];
    steps.push(...placed);
    done.push({ chosen: work.chosen, steps: placed.map((each) => each.name), issues: work.issues ?? [] });
  }
  const heard = done.map((each, index) => ({ ...each, issues: [...each.issues, ...unheard(drafts, steps, index)] }));
  const plan = {
    steps: steps.map((step) => withAnswer(step, takes)),
    intents: intentsOf(drafted, places, heard),
    findings,
    issues: heard.flatMap(({ issues }) => issues),
  };
  return questions.length > 0 ? { kind: 'questions', questions, ...plan } : { kind: 'plan', ...plan };
}

/** The descriptions of tasks that words leave open. */
export function openTasks(tasks: readonly Task[], around: TaskContext): readonly string[] {
  return foldedOf(tasks, around).drafts.flatMap(({ task, work }) => {
    // A refinement may become a parameter once the call before is known.
    const isParameter = 'why' in work && refinementsIn(task.description).length > 0;
    return isParameter || work.open === undefined ? [] : [work.open];
  });
}

/** The descriptions of tasks that the default agent gets because no capability was found. */
export function agentTasks(tasks: readonly Task[], around: TaskContext): readonly string[] {
  return foldedOf(tasks, around).drafts.flatMap(({ task, work }) => {
    const agent = 'why' in work || work.open !== undefined ? undefined : work.step.agent;
    const isAssigned = Object.hasOwn(around.settings.kinds, task.kind);
    return agent === defaultAgent.name && !isAssigned ? [task.description] : [];
  });
}

/** The drafts as written, and the drafts after folding. */
function foldedOf(tasks: readonly Task[], around: TaskContext) {
  const drafted = draftsOf(tasks, around);
  const { tasks: kept, places, notes } = foldTasks(drafted);
  return { drafted, drafts: notes.length === 0 ? drafted : draftsOf(kept, around), places, notes };
}

/** A task with its work, before it is known whether the whole plan succeeds. */
interface Draft extends DraftTask {
  readonly name: string;
  readonly earlier: readonly EarlierTask[];
  readonly work: TaskWork;
}

function draftsOf(tasks: readonly Task[], around: TaskContext): readonly Draft[] {
  const { sequential } = around.settings;
  const names = stepNames(tasks.map(({ description, name }) => name ?? description));
  const after = tasks.map((task, index) => (sequential ? previous(index) : task.after));
  const before = allBefore(after);
  const drafts: Draft[] = [];
  for (const [index, task] of tasks.entries()) {
    const direct = after[index] ?? [];
    const earlier = (before[index] ?? []).flatMap((at): readonly EarlierTask[] => {
      const other = drafts[at];
      if (other === undefined) return [];
      const output = 'why' in other.work ? undefined : outputOf(other.work.step, around);
      const isFanOut = !('why' in other.work) && other.work.step.type === 'fan_out';
      const given = defined({ input: other.call === undefined ? undefined : other.call.input });
      return [{ name: other.name, task: other.task, direct: direct.includes(at), ...given, output, isFanOut }];
    });
    const work = workOf(task, earlier, around);
    const call = 'why' in work ? undefined : callIn(work.step, around);
    drafts.push({ name: names[index] ?? '', task, after: direct, earlier, work, call });
  }
  return drafts;
}

function callIn({ capability, input, do: inner }: JsonObject, around: TaskContext): DraftTask['call'] {
  if (isJsonObject(inner)) return callIn(inner, around);
  const line = lineOf(capability, around);
  return line && { line, input: isJsonObject(input) ? input : {} };
}

function lineOf(name: Json | undefined, { capabilities, served }: TaskContext): CapabilityLine | undefined {
  return [...capabilities, ...(served?.values() ?? [])].find((each) => each.name === name);
}

/** The output schema of a call or of the default agent; for a fan-out, a list of it. */
function outputOf({ capability, agent, do: inner }: JsonObject, around: TaskContext): JsonObject | undefined {
  if (isJsonObject(inner)) {
    const items = outputOf(inner, around);
    return items && { type: 'array', items };
  }
  return agent === defaultAgent.name ? { type: 'string' } : lineOf(capability, around)?.output;
}

/** The steps of a task, and its performer. */
interface PlannedTask {
  readonly chosen: PerformerChoice | undefined;
  readonly steps: readonly string[];
  readonly issues: readonly Issue[];
}

/** Issues for an answer that no later step uses. An answer at the end of the plan is the plan's result. */
function unheard(drafts: readonly Draft[], steps: readonly JsonObject[], index: number): readonly Issue[] {
  const draft = drafts[index];
  if (draft?.task.kind !== 'clarification' || personQuestionIn(draft.task.description)?.wants === 'consent') return [];
  const behind = drafts.slice(index + 1).filter(({ earlier }) => earlier.some(({ name }) => name === draft.name));
  const isHeard = behind.some(({ name, work }) => {
    const step = steps.find((each) => each.name === name);
    const given = JSON.stringify('why' in work ? null : [step?.input, step?.do, step?.for_each]);
    return step?.type === 'planning' || hearing(draft.name).test(given);
  });
  if (behind.length === 0 || isHeard) return [];
  return [
    issue('ANSWER_UNUSED', `no task uses the answer to "${draft.task.description}"`, {
      severity: 'warning',
      hint: 'say in the task that needs it what the answer is for, or do not ask',
    }),
  ];
}

function hearing(name: string): RegExp {
  return new RegExp(`results\\.${name}\\b|\\(:${name} data/results\\)|\\{\\{ summary \\}\\}`);
}

/** One intent for each task as written; a folded task is served by the absorbing call. */
function intentsOf(
  said: readonly DraftTask[],
  places: readonly number[],
  done: readonly PlannedTask[],
): readonly Intent[] {
  return said.map(({ task: { description, item = description }, after }, index) => {
    const place = places[index] ?? 0;
    const { chosen, steps = [], issues = [] } = done[place] ?? {};
    const isFolded = places.indexOf(place) !== index;
    const by = isFolded ? foldedInto(chosen) : chosen;
    const shape = shapeOfIntent(item);
    return {
      ...{ says: description, shape, steps, after },
      ...defined({ chosen: by }),
      ...(isFolded || issues.length === 0 ? {} : { issues }),
    };
  });
}

function foldedInto(chosen: PerformerChoice | undefined): PerformerChoice {
  return { by: 'folded', ...defined({ capability: chosen?.capability === undefined ? undefined : chosen.capability }) };
}

/** Makes a planning step and a deferred step with the task's name, so that dependents wait for the whole phase. */
function inItsPlace(
  step: JsonObject & { readonly name: string },
  taken: readonly string[],
): readonly (JsonObject & { readonly name: string })[] {
  const { name, attachments: _, ...planning } = step;
  let plan = `plan_${name}`;
  while (taken.includes(plan)) plan = `${plan}_`;
  const { when, on_failure } = step;
  const held = { ...defined({ when, on_failure }) };
  return [
    { ...planning, name: plan, convergence_target: name },
    {
      name,
      type: 'deferred',
      description: step.description ?? '',
      dependencies: [plan],
      ...held,
      input: { $lisp: RESULTS },
    },
  ];
}

/** Gives a question the schema of the property that takes its answer. */
function withAnswer(step: JsonObject, takes: ReadonlyMap<string, JsonObject>): JsonObject {
  const decision = typeof step.name === 'string' ? takes.get(step.name) : undefined;
  return decision === undefined ? step : { ...step, decision };
}

function previous(index: number): readonly number[] {
  return index === 0 ? [] : [index - 1];
}

/** All transitive predecessors of each task, in order. */
function allBefore(after: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const before: (readonly number[])[] = [];
  for (const direct of after) {
    const all = new Set(direct.flatMap((at) => [...(before[at] ?? []), at]));
    before.push([...all].sort((left, right) => left - right));
  }
  return before;
}

/** Runs a step only if every consent before it was given. */
function agreed(earlier: readonly EarlierTask[]): JsonObject {
  const consents = earlier.filter(
    ({ task }) => task.kind === 'clarification' && personQuestionIn(task.description)?.wants === 'consent',
  );
  if (consents.length === 0) return {};
  const asked = consents.map(({ name }) => `(:approved (:${name} data/results))`);
  return { when: { $lisp: asked.length === 1 ? (asked[0] ?? '') : `(and ${asked.join(' ')})` } };
}

/** The length of the longest chain of dependent tasks. */
export function longestChain(tasks: readonly Task[], sequential: boolean): number {
  if (sequential) return tasks.length;
  const lengths: number[] = [];
  for (const { after } of tasks) lengths.push(1 + Math.max(0, ...after.map((at) => lengths[at] ?? 0)));
  return Math.max(0, ...lengths);
}
