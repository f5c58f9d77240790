// Turns the tasks of a goal into the steps of a fragment, each waiting for those before it, and into the intents that they serve.
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { RESULTS } from '../../template/mission.ts';
import type { Intent } from '../intent.ts';
import type { Wanted } from '../missing/wanted.ts';
import { askingIn } from './asking.ts';
import { shapeOfIntent } from './shape.ts';
import { stepNames } from './step-name.ts';
import type { Task } from './task.ts';
import { type Around, type Earlier, type OpenQuestion, type Work, workOf } from './work.ts';

export type Planned =
  | {
      readonly kind: 'plan';
      readonly steps: readonly JsonObject[];
      readonly intents: readonly Intent[];
      /** What was given for calls and is not as their contracts want it. */
      readonly findings: readonly string[];
    }
  /** `steps`: the plan as far as it is known without the answers. */
  | { readonly kind: 'questions'; readonly questions: readonly OpenQuestion[]; readonly steps: readonly JsonObject[] }
  /** What cannot be done, and what would help. */
  | { readonly kind: 'none'; readonly why: string; readonly wanted?: Wanted };

export function planOf(tasks: readonly Task[], around: Around): Planned {
  const { sequential } = around.settings;
  const names = stepNames(tasks.map(({ description, name }) => name ?? description));
  const after = tasks.map((task, index) => (sequential ? previous(index) : task.after));
  const before = allBefore(after);
  const questions: OpenQuestion[] = [];
  const steps: JsonObject[] = [];
  const intents: Intent[] = [];
  const findings: string[] = [];
  const takes = new Map<string, JsonObject>();
  const outputs = new Map<string, JsonObject>();
  for (const [index, task] of tasks.entries()) {
    const earlier = (before[index] ?? []).flatMap((at): readonly Earlier[] => {
      const other = tasks[at];
      const name = names[at] ?? '';
      return other === undefined ? [] : [{ name, task: other, output: outputs.get(name) }];
    });
    const work = workOf(task, earlier, around);
    if ('why' in work) return { kind: 'none', ...work };
    const output = outputOf(work.step, around);
    if (output !== undefined) outputs.set(names[index] ?? '', output);
    questions.push(...work.questions);
    findings.push(...(work.findings ?? []));
    for (const [name, contract] of work.takes ?? []) if (!takes.has(name)) takes.set(name, contract);
    const dependencies = (after[index] ?? []).map((at) => names[at] ?? '');
    const attachments = task.attachments.filter(({ ref }) => !ref.includes('{{'));
    const step: JsonObject & { readonly name: string } = {
      name: names[index] ?? '',
      description: task.description,
      ...(dependencies.length === 0 ? {} : { dependencies }),
      ...agreed(earlier),
      ...work.step,
      ...(attachments.length === 0 ? {} : { attachments: attachments.map((each) => ({ ...each })) }),
      ...(sequential && task.kind !== 'clarification' ? { on_failure: 'skip' } : {}),
    };
    const placed = step.type === 'planning' ? inItsPlace(step, names) : [step];
    steps.push(...placed);
    intents.push(intentOf(task, after[index] ?? [], work, placed));
  }
  const asked = steps.map((step) => withAnswer(step, takes));
  return questions.length > 0
    ? { kind: 'questions', questions, steps: asked }
    : { kind: 'plan', steps: asked, intents, findings };
}

/** What a call answers; of a fan-out, a list of that. */
function outputOf(
  { capability, do: inner }: JsonObject,
  around: Pick<Around, 'capabilities' | 'served'>,
): JsonObject | undefined {
  if (isJsonObject(inner)) {
    const items = outputOf(inner, around);
    return items && { type: 'array', items };
  }
  const { capabilities, served } = around;
  return [...capabilities, ...(served?.values() ?? [])].find(({ name }) => name === capability)?.output;
}

function intentOf(
  { description }: Task,
  after: readonly number[],
  { chosen }: Exclude<Work, { readonly why: string }>,
  steps: readonly { readonly name: string }[],
): Intent {
  return {
    says: description,
    shape: shapeOfIntent(description),
    steps: steps.map(({ name }) => name),
    after,
    ...(chosen === undefined ? {} : { chosen }),
  };
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
  const held = { ...(when === undefined ? {} : { when }), ...(on_failure === undefined ? {} : { on_failure }) };
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
