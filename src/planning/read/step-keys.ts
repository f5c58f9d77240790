// Normalizes the keys of a proposed step, and turns a step in plain words into one with keys.
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { stepProperties, typeAliases } from '../../template/keys/step.ts';
import { parseText, referenceText, refersToData } from '../../template/references.ts';
import { withPlainBraces } from './foreign-references.ts';
import { freeName, nameOfWords } from './step-names.ts';

/** Key names that models use; the language's own aliases (`depends_on`, `tool`, …) are resolved later. */
const meanings: Readonly<Record<string, string>> = {
  id: 'name',
  task_id: 'name',
  step_id: 'name',
  inputs: 'input',
  args: 'input',
  arguments: 'input',
  parameters: 'input',
  params: 'input',
  action_input: 'input',
  tool_input: 'input',
  dep: 'depends_on',
  deps: 'depends_on',
  depends: 'depends_on',
  action: 'capability',
  function: 'capability',
  tool_name: 'capability',
  api_name: 'capability',
  agent_id: 'agent',
  agent_name: 'agent',
  assigned_to: 'agent',
  assignee: 'agent',
  output_schema: 'output',
  retries: 'max_retries',
};

/** Keys that may hold a question when `prompt` is missing. */
const QUESTIONS = ['question', 'message', 'input', 'description'];

const callKeys = ['handler', 'capability', 'tool', 'agent'];

export const dependencyKeys = ['dependencies', 'depends_on', 'requires', 'after'];

/**
 * Renames a key only when its normal name is free; when both exist, both stay and the schema check reports them. Keys with
 * `null` are dropped. A text becomes a task of the default agent, named by its first words and not `taken`.
 */
export function readStep(written: Json, taken: Set<string>, notes: Set<string>): Json {
  if (typeof written === 'string') return inWords(written, taken, notes);
  if (!isJsonObject(written)) return written;
  const entries = Object.entries(written)
    .filter(([, value]) => value !== null)
    .map(([key, value]): [string, Json] => {
      if (key === 'do') return [key, typeof value === 'string' ? value : readStep(value, taken, notes)];
      const meant = meaningOf(key);
      if (meant === undefined || Object.hasOwn(written, meant)) return [key, plain(key, value)];
      notes.add(`"${key}" for "${meant}"`);
      return [meant, plain(meant, value)];
    });
  return asTask(withDoer(withPrompt(Object.fromEntries(entries), notes), notes), notes);
}

/** The key that the planner wrote for a normalized key. */
export function writtenKey(written: JsonObject, key: string): string {
  if (Object.hasOwn(written, key)) return key;
  const asked = key === 'prompt' ? QUESTIONS.find((each) => Object.hasOwn(written, each)) : undefined;
  return asked ?? Object.keys(written).find((each) => meaningOf(each) === key) ?? key;
}

function meaningOf(key: string): string | undefined {
  const own = Object.hasOwn(meanings, key) ? meanings[key] : undefined;
  if (own !== undefined || Object.hasOwn(stepProperties, key)) return own;
  const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (snake === key) return undefined;
  return Object.hasOwn(stepProperties, snake) ? snake : meanings[snake];
}

/** Converts numeric names to text. */
function plain(key: string, value: Json): Json {
  if (key === 'name' && typeof value === 'number') return String(value);
  if (!dependencyKeys.includes(key)) return value;
  if (typeof value === 'number') return [String(value)];
  if (isJsonArray(value)) return value.map((each) => (typeof each === 'number' ? String(each) : each));
  return value;
}

function inWords(text: string, taken: Set<string>, notes: Set<string>): Json {
  const words = nameOfWords(text);
  if (words === undefined) return text;
  const name = freeName(words, taken);
  taken.add(name);
  notes.add(`the text "${name}" as a task of the default agent`);
  return asTask({ name, agent: 'default', input: text }, notes);
}

function withPrompt(step: JsonObject, notes: Set<string>): JsonObject {
  if ((step.type !== 'human_review' && step.type !== 'gate') || Object.hasOwn(step, 'prompt')) return step;
  const key = QUESTIONS.find((each) => typeof step[each] === 'string');
  if (key === undefined) return step;
  notes.add(`"${key}" for "prompt"`);
  return renamed(step, key, 'prompt');
}

/** Gives a task in words without a performer to the default agent. */
function withDoer(step: JsonObject, notes: Set<string>): JsonObject {
  const { type = 'task', input, description } = step;
  const isTask = type === 'task' || (typeof type === 'string' && isAliasOfTask(type));
  if (!isTask || callKeys.some((key) => Object.hasOwn(step, key))) return step;
  if (!isInWords(input) && !(input === undefined && isInWords(description))) return step;
  notes.add('the default agent for a task without one');
  return { ...step, agent: 'default' };
}

/** Moves orders in words from an agent's input to its description, because an agent treats its input as data. */
function asTask(step: JsonObject, notes: Set<string>): JsonObject {
  const { agent, input, description, ...rest } = step;
  if (typeof agent !== 'string' || (description !== undefined && typeof description !== 'string')) return step;
  const order = typeof input === 'string' && isInWords(input) ? input : undefined;
  const refers = description !== undefined && refersToData(description) && (order !== undefined || !isText(input));
  if (order === undefined && !refers) return step;
  if (refers) notes.add('what a description refers to as input');
  const said = refers ? taskIn(description) : { text: description, data: {} };
  const ordered = order === undefined ? undefined : taskIn(order);
  const data = { ...said.data, ...ordered?.data, ...(isJsonObject(input) ? input : {}) };
  const task = [said.text, ordered?.text].filter((text) => text !== undefined).join('\n');
  return { ...rest, agent, description: task, ...(Object.keys(data).length === 0 ? {} : { input: data }) };
}

function isText(input: Json | undefined): boolean {
  return input !== undefined && !isJsonObject(input);
}

/** Tells whether a text has words besides references. */
function isInWords(text: Json | undefined): boolean {
  return typeof text === 'string' && /\p{L}/u.test(text.replace(/\{\{.*?\}\}/gs, ''));
}

function isAliasOfTask(type: string): boolean {
  return Object.entries(typeAliases).some(([alias, own]) => alias === type && own === 'task');
}

function renamed(step: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(step).map(([key, value]) => [key === from ? to : key, value] as const));
}

interface TaskText {
  /** For example `Compare fetch_aapl with fetch_msft`. */
  readonly text: string;
  /** For example `{ fetch_aapl: "{{ results.fetch_aapl }}", … }`. */
  readonly data: JsonObject;
}

/** Splits a task into words and referenced data; a text with unreadable references stays whole, for the checks to report. */
function taskIn(written: string): TaskText {
  const { parts, issues } = parseText(withPlainBraces(written));
  if (issues.length > 0) return { text: written, data: { text: written } };
  const data = new Map<string, string>();
  const words = parts.map((part) => {
    if (typeof part === 'string') return part;
    const whole = referenceText(part);
    const name = part.root === 'results' || part.root === 'depends' ? whole.slice(part.root.length + 1) : whole;
    data.set(name, `{{ ${whole} }}`);
    return name;
  });
  return { text: words.join(''), data: Object.fromEntries(data) };
}
