// What a task becomes: a question to a person, a call of a capability, or work for an agent.
import type { Json, JsonObject } from '../../base/json.ts';
import { propertiesOf, schemaOf } from '../../contract/schema.ts';
import { defaultAgent } from '../../template/agent-spec.ts';
import type { PatternSettings } from '../../template/pattern-settings.ts';
import { questionFor } from '../ask/question-for.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import type { Chosen } from '../intent.ts';
import type { Learned } from '../learned.ts';
import { type Wanted, wantedOf } from '../missing/wanted.ts';
import { mapArguments } from '../resolve/arguments/map-arguments.ts';
import { propertyFor } from '../resolve/arguments/property-name.ts';
import { partsOf } from '../resolve/words.ts';
import { argumentsOf } from './arguments.ts';
import { askingIn, questionOf } from './asking.ts';
import { capabilityFor, namedBy } from './capability-for.ts';
import { feedsFor } from './feeds.ts';
import { isCoarse } from './granularity.ts';
import { headOf } from './order.ts';
import { stepNames } from './step-name.ts';
import type { Task } from './task.ts';

/** A task that is done before another, by the name of its step. */
export interface Earlier {
  readonly name: string;
  readonly task: Task;
  /** What the capability that does it answers, where that is known. */
  readonly output?: JsonObject | undefined;
}

export interface Around {
  readonly capabilities: readonly CapabilityLine[];
  readonly settings: PatternSettings;
  /** What a person has said, by question. */
  readonly answers: ReadonlyMap<string, Json>;
  readonly learned?: Learned | undefined;
  /** What is more than one call can do is taken apart further by a planning step; absent: it is not. */
  readonly deepens?: { readonly goal: string } | undefined;
  /** By the descriptions of tasks that nothing served: what does so all the same. */
  readonly served?: ReadonlyMap<string, CapabilityLine>;
}

/** What a person must say before there is a plan; `answer` is a contract. */
export interface OpenQuestion {
  readonly question: string;
  readonly answer: JsonObject;
}

/** The keys of a step that say what it does; or why nobody can do it, and what would help. */
export type Work =
  | {
      readonly step: JsonObject;
      readonly questions: readonly OpenQuestion[];
      readonly chosen?: Chosen;
      /** What is not as the contract wants it. */
      readonly findings?: readonly string[];
      /** What earlier questions must be answered with, by the names of their steps: contracts. */
      readonly takes?: ReadonlyMap<string, JsonObject>;
    }
  | {
      readonly why: string;
      /** What would have to do it. */
      readonly wanted?: Wanted;
    };

export function workOf(task: Task, earlier: readonly Earlier[], around: Around): Work {
  if (task.kind === 'clarification') return { step: review(task), questions: [], chosen: { by: 'person' } };
  const { settings, capabilities } = around;
  const assigned = Object.hasOwn(settings.kinds, task.kind) ? settings.kinds[task.kind] : undefined;
  const named = namedBy(task, capabilities);
  if (named !== undefined) return call(task, named, { by: 'named', capability: named.name }, earlier, around);
  if (assigned?.capability !== undefined) return assignedCall(task, assigned.capability, earlier, around);
  const told = toldOf(earlier, settings);
  if (assigned?.agent !== undefined) return agentWork(assigned.agent, told);
  if (isTooMuch(task, around)) return deeper(task, around);
  if (task.kind === 'tool_call') return resolvedCall(task, earlier, around);
  return lookingCall(task, earlier, around) ?? agentWork(defaultAgent.name, told);
}

function isTooMuch(task: Task, { capabilities, deepens }: Around): boolean {
  if (deepens === undefined) return false;
  return task.coarse === true || (task.kind === 'tool_call' && isCoarse(task.description, capabilities));
}

/** Whoever plans here plans it too, when it is due; the whole goal again would be no progress. */
function deeper({ description }: Task, { deepens }: Around): Work {
  if (deepens?.goal.trim() === description.trim()) {
    return { why: `"${description}" is more than one call, and its words do not take it further apart` };
  }
  const goal = description.replaceAll('{{', '{ {');
  return { step: { type: 'planning', goal }, questions: [], chosen: { by: 'nested' } };
}

/** Whatever serves its words; a person says which where several do. */
function resolvedCall(task: Task, earlier: readonly Earlier[], around: Around): Work {
  const served = around.served?.get(task.description);
  if (served !== undefined) return call(task, served, { by: 'missing', capability: served.name }, earlier, around);
  const found = capabilityFor(task, around.capabilities, around.learned);
  if (found.kind === 'none')
    return { why: unresolved(task, found.nearest, around), wanted: wantedFor(task, earlier, around) };
  if (found.kind === 'one') return call(task, found.capability, found.chosen, earlier, around);
  const question = `Which of them is meant by "${task.description}"?`;
  const said = around.answers.get(question);
  const meant = around.capabilities.find(({ name }) => name === said);
  if (meant !== undefined) return call(task, meant, { ...found.chosen, capability: meant.name }, earlier, around);
  return { step: {}, questions: [{ question, answer: { type: 'string', enum: found.names } }] };
}

/**
 * Looking into a file is a call where a capability is named for just that and the task says all that it needs: an agent
 * has no files. More words than these may ask for more than the capability does.
 */
function lookingCall(task: Task, earlier: readonly Earlier[], around: Around): Work | undefined {
  const [path, another] = task.parameters.paths ?? [];
  if (path === undefined || another !== undefined || !LOOKS.test(task.description.replace(path, ''))) return undefined;
  const found = capabilityFor(task, around.capabilities, around.learned);
  if (found.kind !== 'one' || found.capability.effects.some((effect) => effect !== 'read')) return undefined;
  const verb = headOf(task.description).toLowerCase();
  if (verb !== 'read' && !partsOf(found.capability.name).includes(verb)) return undefined;
  const work = call(task, found.capability, found.chosen, earlier, around);
  return 'why' in work || work.questions.length > 0 ? undefined : work;
}

/** `Count the words in …`, `profile …` */
const LOOKS = /^\p{L}+(?: (?:the|all|every))*(?: \p{L}+){0,2}?(?: (?:in|of|from|inside))?(?: (?:the|file))*\W*$/iu;

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
  if (capability !== undefined) return call(task, capability, { by: 'kind', capability: name }, earlier, around);
  return {
    why: `tasks of kind "${task.kind}" are for ${name}, which is not granted here; grant it under capabilities`,
  };
}

/** It would be given what any capability is given that says nothing of its input. */
function wantedFor(task: Task, earlier: readonly Earlier[], around: Around): Wanted {
  const [name = 'task'] = stepNames([task.description]);
  const input = { task: task.description, ...(task.parameters.named ?? {}), ...toldOf(earlier, around.settings) };
  return wantedOf(`own.${name}`, task.description, input, around.capabilities);
}

function unresolved({ description }: Task, nearest: readonly string[], { capabilities }: Around): string {
  const near =
    capabilities.length === 0
      ? 'none is granted'
      : nearest.length === 0
        ? `granted are ${capabilities
            .slice(0, 5)
            .map(({ name }) => name)
            .join(', ')}${capabilities.length > 5 ? ', …' : ''}`
        : `nearest: ${nearest.join(', ')}`;
  return `no capability serves "${description}" (${near}); name one in the goal, grant one that does it, or say who makes calls: kinds: { tool_call: { agent: … } }`;
}

function call(
  task: Task,
  { name, input: contract }: CapabilityLine,
  chosen: Chosen,
  earlier: readonly Earlier[],
  around: Around,
): Work {
  if (contract === undefined) {
    const { named = {} } = task.parameters;
    const input = {
      task: literal(task.description),
      ...literals(named),
      ...toldOf(earlier, around.settings),
      ...task.input,
    };
    return { step: { capability: name, input }, questions: [], chosen };
  }
  const properties = propertiesOf(contract);
  const said = saidFor(task.input ?? {}, contract);
  const bound = fromAnswers(properties, earlier).filter(({ property }) => !Object.hasOwn(said.input, property));
  const answered = Object.fromEntries(bound.map((each) => [each.property, `{{ results.${each.name} }}`] as const));
  const given = new Set([...Object.keys(answered), ...Object.keys(said.input)]);
  const { input, missing } = argumentsOf(task, contract, given);
  const fed = feedsFor(missing, contract, new Set([...given, ...Object.keys(input)]), earlier);
  const asked = missing
    .filter((property) => !Object.hasOwn(fed.input, property))
    .map((property) => ({
      property,
      question: `For "${task.description}": ${questionFor(property, schemaOf(properties[property]))}`,
      answer: schemaOf(properties[property]),
    }));
  const answers = asked.flatMap(({ property, question }) => {
    const answer = around.answers.get(question);
    return answer === undefined ? [] : [[property, answer] as const];
  });
  const open = asked.filter(({ question }) => !around.answers.has(question));
  const whole = {
    ...literals(input),
    ...answered,
    ...said.input,
    ...fed.input,
    ...literals(Object.fromEntries(answers)),
  };
  return {
    step: fed.around({ capability: name, input: whole }),
    questions: open.map(({ question, answer }) => ({ question, answer })),
    takes: new Map(bound.map(({ property, name }) => [name, schemaOf(properties[property])])),
    chosen,
    ...(said.findings.length === 0 ? {} : { findings: said.findings }),
  };
}

/** What whoever took the goal apart gave, on the properties of the contract; what refers to results is taken at its word. */
function saidFor(given: JsonObject, contract: JsonObject): { input: JsonObject; findings: readonly string[] } {
  const names = Object.keys(propertiesOf(contract));
  const isReference = (value: Json): boolean => typeof value === 'string' && value.includes('{{');
  const references = Object.entries(given).flatMap(([name, value]) => {
    const property = isReference(value) ? propertyFor(name, names) : undefined;
    return property === undefined ? [] : [[property, value] as const];
  });
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => !isReference(value)));
  const { input, findings } = mapArguments(values, contract);
  return { input: { ...input, ...Object.fromEntries(references) }, findings: findings.map(({ message }) => message) };
}

/** What was asked before is the property that shares a word with it: "the page size" is `per_page`. */
function fromAnswers(properties: JsonObject, earlier: readonly Earlier[]): readonly Bound[] {
  const bound: Bound[] = [];
  for (const { name, task } of earlier) {
    const asking = task.kind === 'clarification' ? askingIn(task.description) : undefined;
    if (asking?.wants !== 'answer') continue;
    const words = new Set(wordsOf(asking.about));
    const property = Object.keys(properties).find(
      (each) => !bound.some((other) => other.property === each) && wordsOf(each).some((word) => words.has(word)),
    );
    if (property !== undefined) bound.push({ property, name });
  }
  return bound;
}

/** A property that the answer of a step brings. */
interface Bound {
  readonly property: string;
  readonly name: string;
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

/** An agent is told its task by the step's description. */
function agentWork(agent: string, told: JsonObject): Work {
  const step = { agent, ...(Object.keys(told).length === 0 ? {} : { input: told }) };
  return { step, questions: [], chosen: { by: 'kind', agent } };
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
