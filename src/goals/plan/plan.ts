// Turns the tasks of a goal into the steps of a fragment, each waiting for those before it, and into the intents that they serve.
import { type Issue, issue } from '../../base/issue.ts';
import { defined, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { defaultAgent } from '../../template/keys/agent.ts';
import { RESULTS } from '../../template/mission.ts';
import { refinementsIn } from '../arguments/refinement.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import type { Chosen, Intent } from '../intent.ts';
import { askingIn } from '../split/asking.ts';
import { shapeOfIntent } from '../split/shape.ts';
import type { Task } from '../split/task.ts';
import type { Around, Earlier, OpenQuestion, Work } from './around.ts';
import { type Drafted, foldTasks } from './fold-tasks.ts';
import { stepNames } from './step-name.ts';
import type { Wanted } from './wanted.ts';
import { workOf } from './work.ts';

interface Plan {
  readonly steps: readonly JsonObject[];
  /** One for each task. */
  readonly intents: readonly Intent[];
  /** What was understood beyond the words. */
  readonly findings: readonly string[];
  /** What was said, or will be answered, and would be dropped; the intents hold each where it belongs. */
  readonly issues: readonly Issue[];
}

export type Planned =
  | (Plan & { readonly kind: 'plan' })
  /** The plan as far as it is known without the answers. */
  | (Plan & { readonly kind: 'questions'; readonly questions: readonly OpenQuestion[] })
  /** What cannot be done, and what would help. */
  | { readonly kind: 'none'; readonly why: string; readonly wanted?: Wanted };

/** Lists that would leave the plan no room share what there is. */
export function planOf(tasks: readonly Task[], around: Around): Planned {
  const planned = planWith(tasks, around);
  const widest = planned.kind === 'none' ? undefined : narrowed(planned.steps, around);
  return widest === undefined ? planned : planWith(tasks, { ...around, widest });
}

/** How wide each may be, where they do not all fit; those that are narrower anyway leave the others more. */
function narrowed(steps: readonly JsonObject[], { room = Number.POSITIVE_INFINITY }: Around): number | undefined {
  const widths = steps.flatMap(({ max_width }) => (typeof max_width === 'number' ? [max_width] : []));
  let left = room - steps.length;
  for (const [index, width] of widths.sort((one, other) => one - other).entries()) {
    const share = Math.floor(left / (widths.length - index));
    if (width > share) return Math.max(1, share);
    left -= width;
  }
  return undefined;
}

function planWith(tasks: readonly Task[], around: Around): Planned {
  const { drafted, drafts, places, notes } = foldedOf(tasks, around);
  const { sequential } = around.settings;
  const names = drafts.map(({ name }) => name);
  const questions: OpenQuestion[] = [];
  const steps: JsonObject[] = [];
  const findings: string[] = [...notes];
  const done: Done[] = [];
  const takes = new Map<string, JsonObject>();
  for (const draft of drafts) {
    const { name, task, work, after, earlier } = draft;
    if ('why' in work) {
      // Who does the call before is asked first: it may take this one up, or bring the list that it goes through.
      if (questions.length > 0 && (task.item !== undefined || refinementsIn(task.description).length > 0)) break;
      return { kind: 'none', ...work };
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

/** The descriptions of tasks of which words leave open who does them. */
export function openTasks(tasks: readonly Task[], around: Around): readonly string[] {
  return foldedOf(tasks, around).drafts.flatMap(({ task, work }) => {
    // It may be a parameter of the call before, once it is known which that is.
    const isParameter = 'why' in work && refinementsIn(task.description).length > 0;
    return isParameter || work.open === undefined ? [] : [work.open];
  });
}

/** The descriptions of tasks that the default agent does because no capability was found. */
export function agentTasks(tasks: readonly Task[], around: Around): readonly string[] {
  return foldedOf(tasks, around).drafts.flatMap(({ task, work }) => {
    const agent = 'why' in work || work.open !== undefined ? undefined : work.step.agent;
    const isAssigned = Object.hasOwn(around.settings.kinds, task.kind);
    return agent === defaultAgent.name && !isAssigned ? [task.description] : [];
  });
}

/** As they were said, and without those that a call before them takes up. */
function foldedOf(tasks: readonly Task[], around: Around) {
  const drafted = draftsOf(tasks, around);
  const { tasks: kept, places, notes } = foldTasks(drafted);
  return { drafted, drafts: notes.length === 0 ? drafted : draftsOf(kept, around), places, notes };
}

/** A task with what it becomes, before it is known whether all of them become something. */
interface Draft extends Drafted {
  readonly name: string;
  readonly earlier: readonly Earlier[];
  readonly work: Work;
}

function draftsOf(tasks: readonly Task[], around: Around): readonly Draft[] {
  const { sequential } = around.settings;
  const names = stepNames(tasks.map(({ description, name }) => name ?? description));
  const after = tasks.map((task, index) => (sequential ? previous(index) : task.after));
  const before = allBefore(after);
  const drafts: Draft[] = [];
  for (const [index, task] of tasks.entries()) {
    const direct = after[index] ?? [];
    const earlier = (before[index] ?? []).flatMap((at): readonly Earlier[] => {
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

function callIn({ capability, input, do: inner }: JsonObject, around: Around): Drafted['call'] {
  if (isJsonObject(inner)) return callIn(inner, around);
  const line = lineOf(capability, around);
  return line && { line, input: isJsonObject(input) ? input : {} };
}

function lineOf(name: Json | undefined, { capabilities, served }: Around): CapabilityLine | undefined {
  return [...capabilities, ...(served?.values() ?? [])].find((each) => each.name === name);
}

/** What a call answers, or an agent that nobody has described; of a fan-out, a list of that. */
function outputOf({ capability, agent, do: inner }: JsonObject, around: Around): JsonObject | undefined {
  if (isJsonObject(inner)) {
    const items = outputOf(inner, around);
    return items && { type: 'array', items };
  }
  return agent === defaultAgent.name ? { type: 'string' } : lineOf(capability, around)?.output;
}

/** What a task became: its steps, and who does it. */
interface Done {
  readonly chosen: Chosen | undefined;
  readonly steps: readonly string[];
  readonly issues: readonly Issue[];
}

/** An answer that people are asked for, and that no step behind it is given. The last answer is what the plan brings. */
function unheard(drafts: readonly Draft[], steps: readonly JsonObject[], index: number): readonly Issue[] {
  const draft = drafts[index];
  if (draft?.task.kind !== 'clarification' || askingIn(draft.task.description)?.wants === 'consent') return [];
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

/** Of each task as it was said; one that became a parameter of a call is served by that. */
function intentsOf(said: readonly Drafted[], places: readonly number[], done: readonly Done[]): readonly Intent[] {
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

function foldedInto(chosen: Chosen | undefined): Chosen {
  return { by: 'folded', ...defined({ capability: chosen?.capability === undefined ? undefined : chosen.capability }) };
}

/** What is planned later comes together in a step of the task's own name, so that what waits for the task waits for all of it. */
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

/** A question is answered with what is done with the answer. */
function withAnswer(step: JsonObject, takes: ReadonlyMap<string, JsonObject>): JsonObject {
  const decision = typeof step.name === 'string' ? takes.get(step.name) : undefined;
  return decision === undefined ? step : { ...step, decision };
}

function previous(index: number): readonly number[] {
  return index === 0 ? [] : [index - 1];
}

/** In order: for each task, all that are done before it. */
function allBefore(after: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const before: (readonly number[])[] = [];
  for (const direct of after) {
    const all = new Set(direct.flatMap((at) => [...(before[at] ?? []), at]));
    before.push([...all].sort((left, right) => left - right));
  }
  return before;
}

/** Nothing that a person has not agreed to goes on behind their answer. */
function agreed(earlier: readonly Earlier[]): JsonObject {
  const consents = earlier.filter(
    ({ task }) => task.kind === 'clarification' && askingIn(task.description)?.wants === 'consent',
  );
  if (consents.length === 0) return {};
  const asked = consents.map(({ name }) => `(:approved (:${name} data/results))`);
  return { when: { $lisp: asked.length === 1 ? (asked[0] ?? '') : `(and ${asked.join(' ')})` } };
}

/** The most tasks of a plan that wait for each other, one behind the other. */
export function longestChain(tasks: readonly Task[], sequential: boolean): number {
  if (sequential) return tasks.length;
  const lengths: number[] = [];
  for (const { after } of tasks) lengths.push(1 + Math.max(0, ...after.map((at) => lengths[at] ?? 0)));
  return Math.max(0, ...lengths);
}
