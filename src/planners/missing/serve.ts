// Searches for a missing capability with the template's strategies, in order: people, a model, servers.
import type { Failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { defined, isJsonArray, type JsonObject, ownProperty } from '../../base/json.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { Call, CallOutcome, Work } from '../../engine/record/call.ts';
import type { CapabilityLine } from '../../goals/capability-lines.ts';
import { matchGoal } from '../../goals/match/match.ts';
import { type MissingCapability, nearText } from '../../goals/plan/missing-capability.ts';
import type { Limits } from '../../lisp/limits.ts';
import type { Brief } from '../../planning/brief.ts';
import { readOwn } from '../../planning/read/own-capabilities.ts';
import type { MissingStrategy } from '../../template/keys/missing.ts';
import type { NamedModel } from '../../template/model-named.ts';
import type { Question } from '../planner.ts';
import { capabilityOfCode, choiceIn, questionAbout } from './ask-person.ts';
import { type Asker, askForJson } from './model-json.ts';
import { suggestionRules, suggestionShape, wantedText } from './prompts.ts';
import { writeCapability } from './write-capability.ts';

export interface Means {
  readonly strategies: readonly MissingStrategy[];
  readonly model: NamedModel | undefined;
  readonly limits: Partial<Limits>;
}

export type SearchOutcome =
  | { readonly kind: 'use'; readonly name: string }
  /** A capability that the fragment brings itself. */
  | { readonly kind: 'own'; readonly capability: JsonObject }
  | { readonly kind: 'found'; readonly declaration: Declaration }
  | { readonly kind: 'none'; readonly why: string; readonly suggestions: readonly JsonObject[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

type Search<End> = Generator<Call | Question, End, CallOutcome>;

/** One search with its results so far. */
interface SearchState extends Means {
  readonly wanted: MissingCapability;
  readonly brief: Brief;
  readonly asker: Asker;
  readonly remarks: string[];
  readonly suggestions: JsonObject[];
}

export function* serve(wanted: MissingCapability, brief: Brief, asker: Asker, means: Means): Search<SearchOutcome> {
  const searching: SearchState = { ...means, wanted, brief, asker, remarks: [], suggestions: [] };
  for (const strategy of means.strategies) {
    const served = yield* trying[strategy](searching);
    if (served !== undefined) return served;
  }
  const { remarks, suggestions } = searching;
  const near = wanted.nearest.length === 0 ? 'none is granted' : `nearest: ${wanted.nearest.map(nearText).join('; ')}`;
  const why = [`no capability serves "${wanted.description}" (${near})`, ...remarks].join('; ');
  return { kind: 'none', why, suggestions };
}

type Try = (searching: SearchState) => Search<SearchOutcome | undefined>;

const trying: Readonly<Record<MissingStrategy, Try>> = {
  *synthesize(searching) {
    return yield* written(searching);
  },
  *discover(searching) {
    return yield* lookedUp(searching);
  },
  *suggest({ wanted, brief, asker, suggestions, remarks }) {
    const suggestion = yield* suggestionFor(wanted, brief.goal ?? '', asker, brief.capabilities);
    if (suggestion === undefined) return undefined;
    suggestions.push(suggestion);
    remarks.push(`suggested: ${suggestionText(suggestion)}`);
    return undefined;
  },
  ask,
};

/** The most questions to a person, who is asked again with the reason when an answer fails. */
const ROUNDS = 3;

function* ask(searching: SearchState): Search<SearchOutcome | undefined> {
  const { wanted, asker, remarks } = searching;
  for (let round = 0; round < ROUNDS; round++) {
    const said = yield questionAbout(wanted, remarks, asker.model !== undefined);
    if (!said.ok) return { kind: 'failed', failure: said.error };
    const choice = choiceIn(said.value);
    const before = remarks.length;
    switch (choice?.kind) {
      case 'use':
        return choice;
      case 'code': {
        const own = ofCode(searching, choice.text);
        if (own !== undefined) return own;
        break;
      }
      case 'describe': {
        const own = yield* written(searching, choice.text);
        if (own !== undefined) return own;
        break;
      }
      case 'discover': {
        const found = yield* lookedUp(searching, choice.text);
        if (found !== undefined) return found;
        break;
      }
      default:
        remarks.push('nobody knew what should serve it');
        return undefined;
    }
    // The question must change, because the same question would get the recorded answer.
    if (remarks.length === before) remarks.push('that came to nothing');
  }
  return undefined;
}

function ofCode({ wanted, remarks }: SearchState, text: string): SearchOutcome | undefined {
  const capability = capabilityOfCode(wanted, text);
  const issues: Issue[] = [];
  readOwn([capability], issues);
  if (issues.length === 0) return { kind: 'own', capability };
  remarks.push(`the code does not do: ${issues.map(({ message }) => message).join('; ')}`);
  return undefined;
}

function* written(
  { wanted, brief, asker, limits, remarks }: SearchState,
  logic?: string,
): Search<SearchOutcome | undefined> {
  const made = yield* writeCapability(wanted, brief.goal ?? '', asker, limits, logic);
  if (made.ok) return { kind: 'own', capability: made.value };
  remarks.push(`none was written: ${made.error}`);
  return undefined;
}

/** `from` is the place to search; by default the template's servers. */
function* lookedUp({ wanted, brief, remarks }: SearchState, from?: string): Search<SearchOutcome | undefined> {
  const outcome = yield { kind: 'discover', ...defined({ from }) };
  const where = from === undefined ? 'on its servers' : `at "${from}"`;
  if (!outcome.ok) {
    remarks.push(`nothing was found ${where}: ${outcome.error.message}`);
    return undefined;
  }
  const known = new Set(brief.capabilities.map(({ name }) => name));
  const tools = ownProperty(outcome.value, 'tools');
  const notes = ownProperty(outcome.value, 'notes');
  const declared = declarationsIn(isJsonArray(tools) ? tools : []).filter(({ name }) => !known.has(name));
  const [named, another] = declared.filter(({ name }) => lastOf(name) === lastOf(wanted.name));
  if (named !== undefined && another === undefined) return { kind: 'found', declaration: named };
  const { certain, candidates } = matchGoal(wanted.description, declared);
  const declaration = declared.find(({ name }) => name === certain?.name);
  if (declaration !== undefined) return { kind: 'found', declaration };
  const why = isJsonArray(notes) && notes.length > 0 ? ` (${notes.map(String).join('; ')})` : '';
  const [best] = candidates;
  const none = declared.length === 0 ? 'no tool more is there' : 'no word matches';
  const near = best === undefined ? none : `nearest: ${nearText(best)}`;
  remarks.push(`nothing was found ${where}: ${near}${why}`);
  return undefined;
}

/** The name of a tool without its server. */
function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The runtime made these declarations from the servers' lists. */
function declarationsIn(tools: readonly unknown[]): readonly Declaration[] {
  return JSON.parse(JSON.stringify(tools)) as readonly Declaration[];
}

function* suggestionFor(
  wanted: MissingCapability,
  goal: string,
  asker: Asker,
  capabilities: readonly CapabilityLine[],
): Work<JsonObject | undefined> {
  const said = [{ role: 'user' as const, content: wantedText(wanted, goal) }];
  const answer = yield* askForJson(asker, suggestionRules, suggestionShape, said);
  if (answer !== undefined) return typeof answer.name === 'string' && !('none' in answer) ? answer : undefined;
  return ofNearest(wanted, capabilities);
}

function ofNearest({ nearest }: MissingCapability, capabilities: readonly CapabilityLine[]): JsonObject | undefined {
  const [first] = nearest.filter(({ veto }) => veto === undefined);
  const line = capabilities.find(({ name }) => name === first?.name);
  if (line === undefined) return undefined;
  const { name, description, effects, input, output } = line;
  return {
    kind: 'tool',
    name,
    ...defined({ input, output }),
    permissions: [...effects],
    why: `it comes nearest: ${description}`,
  };
}

/** For example `server "geo" at https://…: turns addresses into places; needs network`. */
function suggestionText(suggestion: JsonObject): string {
  const say = (key: string, before: string): string => {
    const value = ownProperty(suggestion, key);
    return typeof value === 'string' && value !== '' ? `${before}${value}` : '';
  };
  const needs = Array.isArray(suggestion.permissions) ? suggestion.permissions.map(String).join(', ') : '';
  return `${say('kind', '')} "${say('name', '')}"${say('url', ' at ')}${say('why', ': ')}${needs === '' ? '' : `; needs ${needs}`}`;
}
