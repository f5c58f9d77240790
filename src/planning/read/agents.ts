// Normalizes a plan's own agents, which may come as a map, a list or plain texts.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { acceptableName, nameOfWords } from './step-names.ts';

export interface AgentsReading {
  /** Agents by name; absent when the plan has none. */
  readonly agents?: JsonObject;
  /** The normalized name for each name in the plan. */
  readonly names: ReadonlyMap<string, string>;
  /** The place of each agent in the reply, by normalized name. */
  readonly places: ReadonlyMap<string, readonly PathPart[]>;
  readonly issues: readonly Issue[];
}

const meanings: Readonly<Record<string, string>> = {
  capabilities: 'tools',
  functions: 'tools',
  allowed_tools: 'tools',
  output_schema: 'output',
  result_schema: 'output',
  signature: 'output',
  llm: 'model',
  turns: 'max_turns',
  max_iterations: 'max_turns',
  max_iter: 'max_turns',
  maxTurns: 'max_turns',
};

/** Keys for the prompt of an agent, in the order in which they are joined. */
const PROMPTS = ['prompt', 'system', 'system_prompt', 'instructions', 'role', 'goal', 'backstory'];

const NAMES = ['name', 'id', 'agent_id', 'agent'];

/** Leaves an entry of a wrong type unchanged, because the schema check reports it. */
export function readAgents(written: Json | undefined, notes: Set<string>): AgentsReading {
  const names = new Map<string, string>();
  const places = new Map<string, readonly PathPart[]>();
  const issues: Issue[] = [];
  if (written === undefined || written === null) return { names, places, issues };
  const agents = new Map<string, Json>();
  for (const { name, at, value } of entriesOf(written, notes)) {
    if (name === undefined) {
      issues.push(issue('SHAPE_MISSING_KEY', 'an agent has no "name"', { path: at }));
      continue;
    }
    const given = acceptableName(name, 'agent');
    if (agents.has(given)) issues.push(repeated(given, at));
    if (given !== name) notes.add(`agent "${name}" as "${given}"`);
    names.set(name, given);
    places.set(given, at);
    agents.set(given, readAgent(given, value, notes));
  }
  return { agents: Object.fromEntries(agents), names, places, issues };
}

interface WrittenAgent {
  readonly name: string | undefined;
  readonly at: readonly PathPart[];
  readonly value: Json;
}

function entriesOf(written: Json, notes: Set<string>): readonly WrittenAgent[] {
  if (isJsonArray(written)) {
    notes.add('a list of agents');
    return written.map((value, index) => ({ ...named(value), at: ['agents', index] }));
  }
  if (isJsonObject(written)) {
    return Object.entries(written).map(([name, value]) => ({
      name,
      at: ['agents', name],
      value: withoutName(name, value),
    }));
  }
  return [{ name: undefined, at: ['agents'], value: written }];
}

function named(value: Json): Pick<WrittenAgent, 'name' | 'value'> {
  if (typeof value === 'string') return { name: nameOfWords(value, 'agent'), value };
  if (!isJsonObject(value)) return { name: undefined, value };
  const key = NAMES.find((each) => typeof value[each] === 'string');
  const { [key ?? '']: name, ...rest } = value;
  return { name: typeof name === 'string' && name !== '' ? name : undefined, value: rest };
}

/** Drops a name that repeats the key of a map. */
function withoutName(name: string, value: Json): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key, said]) => !(NAMES.includes(key) && said === name)));
}

/** A text becomes the prompt; role, goal and backstory are joined into one. */
function readAgent(name: string, written: Json, notes: Set<string>): Json {
  if (typeof written === 'string') {
    notes.add(`the text of agent "${name}" as its prompt`);
    return { prompt: written };
  }
  if (!isJsonObject(written)) return written;
  const entries = Object.entries(written).filter(([, value]) => value !== null);
  const rest = entries
    .filter(([key]) => !isPrompt(key, written))
    .map(([key, value]): [string, Json] => {
      const meant = Object.hasOwn(meanings, key) ? meanings[key] : undefined;
      if (meant === undefined || Object.hasOwn(written, meant)) return [key, value];
      notes.add(`"${key}" for "${meant}" of an agent`);
      return [meant, value];
    });
  return { ...promptOf(written, notes), ...Object.fromEntries(rest) };
}

function isPrompt(key: string, agent: JsonObject): boolean {
  return PROMPTS.includes(key) && typeof agent[key] === 'string';
}

function promptOf(agent: JsonObject, notes: Set<string>): JsonObject {
  const said = PROMPTS.filter((key) => isPrompt(key, agent));
  const [only, second] = said;
  if (only === undefined) return {};
  if (only !== 'prompt' || second !== undefined) {
    notes.add(`${said.map((key) => `"${key}"`).join(', ')} for "prompt" of an agent`);
  }
  if (second === undefined) return { prompt: agent[only] ?? '' };
  return { prompt: said.map((key) => (isTitled(key) ? `${titleOf(key)}: ${agent[key]}` : agent[key])).join('\n') };
}

function isTitled(key: string): boolean {
  return ['role', 'goal', 'backstory'].includes(key);
}

function titleOf(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1);
}

function repeated(name: string, path: readonly PathPart[]): Issue {
  return issue('SHAPE_KEY_REPEATED', `there are two agents called "${name}"`, { path, hint: 'keep one of them' });
}
