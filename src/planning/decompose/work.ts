// What a task becomes: a question to a person, a call of a capability, or work for an agent.
import type { Json, JsonObject } from '../../base/json.ts';
import { propertiesOf, schemaOf } from '../../contract/schema.ts';
import { defaultAgent } from '../../template/agent-spec.ts';
import type { KindSpec, PatternSettings } from '../../template/pattern-settings.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import { argumentsOf } from './arguments.ts';
import { askingIn, questionOf } from './asking.ts';
import { capabilityFor } from './capability-for.ts';
import type { Task } from './task.ts';

/** A task that is done before another, by the name of its step. */
export interface Earlier {
  readonly name: string;
  readonly task: Task;
}

export interface Around {
  readonly capabilities: readonly CapabilityLine[];
  readonly settings: PatternSettings;
  /** What a person has said, by question. */
  readonly answers: ReadonlyMap<string, Json>;
}

/** What a person must say before there is a plan; `answer` is a contract. */
export interface OpenQuestion {
  readonly question: string;
  readonly answer: JsonObject;
}

/** The keys of a step that say what it does; or why nobody can do it, and what would help. */
export type Work =
  | { readonly step: JsonObject; readonly questions: readonly OpenQuestion[] }
  | { readonly why: string };

export function workOf(task: Task, earlier: readonly Earlier[], around: Around): Work {
  if (task.kind === 'clarification') return { step: review(task), questions: [] };
  const { kinds } = around.settings;
  const assigned = Object.hasOwn(kinds, task.kind) ? kinds[task.kind] : undefined;
  const named = capabilityFor(task, around.capabilities);
  if (named !== undefined) return call(task, named, earlier, around);
  if (assigned?.capability !== undefined) return assignedCall(task, assigned.capability, earlier, around);
  if (task.kind === 'tool_call' && assigned?.agent === undefined) return { why: unresolved(task, around) };
  return { step: agentWork(task, assigned, toldOf(earlier, around.settings)), questions: [] };
}

/** Consent is asked for as any review; an answer is a text. */
function review({ description }: Task): JsonObject {
  const prompt = questionOf(description).replaceAll('{{', '{ {');
  const wants = askingIn(description)?.wants ?? 'answer';
  return {
    type: 'human_review',
    prompt,
    ...(wants === 'consent' ? {} : { decision: { type: 'string', minLength: 1 } }),
  };
}

function assignedCall(task: Task, name: string, earlier: readonly Earlier[], around: Around): Work {
  const capability = around.capabilities.find((each) => each.name === name);
  if (capability !== undefined) return call(task, capability, earlier, around);
  return {
    why: `tasks of kind "${task.kind}" are for ${name}, which is not granted here; grant it under capabilities`,
  };
}

function unresolved({ description }: Task, { capabilities }: Around): string {
  const some = capabilities.slice(0, 5).map(({ name }) => name);
  const there =
    some.length === 0 ? 'none is granted' : `granted are ${some.join(', ')}${capabilities.length > 5 ? ', …' : ''}`;
  return `no capability is named in "${description}"; name one in the goal (${there}), or say who makes calls with kinds: { tool_call: { agent: … } }`;
}

function call(
  task: Task,
  { name, input: contract }: CapabilityLine,
  earlier: readonly Earlier[],
  around: Around,
): Work {
  if (contract === undefined) {
    const { named = {} } = task.parameters;
    const input = { task: literal(task.description), ...literals(named), ...toldOf(earlier, around.settings) };
    return { step: { capability: name, input }, questions: [] };
  }
  const properties = propertiesOf(contract);
  const answered = fromAnswers(properties, earlier);
  const { input, missing } = argumentsOf(task, contract, new Set(Object.keys(answered)));
  const asked = missing.map((property) => ({
    property,
    question: `What is the ${wordsOf(property).join(' ')} for "${task.description}"?`,
    answer: schemaOf(properties[property]),
  }));
  const said = asked.flatMap(({ property, question }) => {
    const answer = around.answers.get(question);
    return answer === undefined ? [] : [[property, answer] as const];
  });
  const open = asked.filter(({ question }) => !around.answers.has(question));
  return {
    step: { capability: name, input: { ...literals(input), ...answered, ...literals(Object.fromEntries(said)) } },
    questions: open.map(({ question, answer }) => ({ question, answer })),
  };
}

/** What was asked before is the property that shares a word with it: "the page size" is `per_page`. */
function fromAnswers(properties: JsonObject, earlier: readonly Earlier[]): JsonObject {
  const bound = new Map<string, Json>();
  for (const { name, task } of earlier) {
    const asking = task.kind === 'clarification' ? askingIn(task.description) : undefined;
    if (asking?.wants !== 'answer') continue;
    const words = new Set(wordsOf(asking.about));
    const property = Object.keys(properties).find(
      (each) => !bound.has(each) && wordsOf(each).some((word) => words.has(word)),
    );
    if (property !== undefined) bound.set(property, `{{ results.${name} }}`);
  }
  return Object.fromEntries(bound);
}

/** `perPage` and `per_page` are two words; a plural counts as its singular. */
function wordsOf(name: string): readonly string[] {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]{2,}/gu);
  return (words ?? []).map((word) => (word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word));
}

/** More results than these are told in short. */
const WHOLE_RESULTS = 10;

function agentWork(task: Task, assigned: KindSpec | undefined, told: JsonObject): JsonObject {
  return { agent: assigned?.agent ?? defaultAgent.name, input: { task: literal(task.description), ...told } };
}

/** What came before: a few results whole, more of them in short. */
function toldOf(earlier: readonly Earlier[], { sequential }: PatternSettings): JsonObject {
  if (earlier.length === 0) return {};
  if (sequential || earlier.length > WHOLE_RESULTS) return { summary: '{{ summary }}' };
  return { results: Object.fromEntries(earlier.map(({ name }) => [name, `{{ results.${name} }}`])) };
}

/** What a goal says is never read as a reference. */
function literal(value: Json): Json {
  return typeof value === 'string' && value.includes('{{') ? { $lisp: JSON.stringify(value) } : value;
}

function literals(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, literal(value)] as const));
}
