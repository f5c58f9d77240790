// Searches for a missing capability with the template's strategies, in order: people, a model, servers.
import type { Failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { Work } from '../../engine/record/call.ts';
import type { CapabilityLine } from '../../goals/capability-lines.ts';
import { matchGoal } from '../../goals/match/match.ts';
import { contractOfInput, type MissingCapability, nearText } from '../../goals/plan/missing-capability.ts';
import type { Limits } from '../../lisp/limits.ts';
import type { Brief } from '../../planning/brief.ts';
import { readOwnCapabilities } from '../../planning/read/own-capabilities.ts';
import type { MissingStrategy } from '../../template/keys/missing.ts';
import type { NamedModel } from '../../template/model-use.ts';
import type { PlannerReply, PlannerWork, QuestionToPerson } from '../planner.ts';
import { type Asker, askForJson } from './model-json.ts';
import { suggestionForm, wantedText } from './prompts.ts';
import { writeCapability } from './write-capability.ts';

export interface SearchMeans {
  readonly strategies: readonly MissingStrategy[];
  readonly model: NamedModel | undefined;
  readonly limits: Partial<Limits>;
}

/** A capability that serves in the place of a missing one. */
export type ServingCapability =
  | { readonly kind: 'granted'; readonly line: CapabilityLine }
  /** A capability that the fragment brings itself. */
  | { readonly kind: 'own'; readonly capability: JsonObject }
  /** A tool of a server. */
  | { readonly kind: 'found'; readonly declaration: Declaration };

/** One search, with the remarks and suggestions so far. */
interface SearchState extends SearchMeans {
  readonly wanted: MissingCapability;
  readonly brief: Brief;
  readonly asker: Asker;
  readonly remarks: string[];
  readonly suggestions: JsonObject[];
}

/** The error is the planner's reply: the search failed, or found nothing. */
export function* searchCapability(
  wanted: MissingCapability,
  brief: Brief,
  asker: Asker,
  means: SearchMeans,
): PlannerWork<Result<ServingCapability, PlannerReply>> {
  const search: SearchState = { ...means, wanted, brief, asker, remarks: [], suggestions: [] };
  for (const strategy of means.strategies) {
    const served = yield* strategies[strategy](search);
    if (served !== undefined) return served.ok ? served : bad(served);
  }
  const { remarks, suggestions } = search;
  const near =
    wanted.nearest.length === 0 ? 'no capability is granted' : `nearest: ${wanted.nearest.map(nearText).join('; ')}`;
  const impossible = [`no capability serves "${wanted.description}" (${near})`, ...remarks].join('; ');
  return bad(good({ fragment: { impossible, suggestions } }));
}

/** Undefined when the strategy finds nothing; the next strategy is tried then. */
type Found = Result<ServingCapability, Failure> | undefined;

const strategies: Readonly<Record<MissingStrategy, (search: SearchState) => PlannerWork<Found>>> = {
  synthesize: (search) => write(search),
  discover: (search) => discover(search),
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

function* ask(search: SearchState): PlannerWork<Found> {
  const { wanted, brief, asker, remarks } = search;
  for (let round = 0; round < ROUNDS; round++) {
    const said = yield questionAbout(wanted, remarks, asker.model !== undefined);
    if (!said.ok) return said;
    const choice = choiceIn(said.value);
    const before = remarks.length;
    let served: Found;
    switch (choice?.kind) {
      case 'use': {
        const line = brief.capabilities.find(({ name }) => name === choice.name);
        if (line !== undefined) return good({ kind: 'granted', line });
        break;
      }
      case 'code':
        served = readCode(search, choice.text);
        break;
      case 'describe':
        served = yield* write(search, choice.text);
        break;
      case 'discover':
        served = yield* discover(search, choice.text);
        break;
      default:
        remarks.push('the person named no capability');
        return undefined;
    }
    if (served !== undefined) return served;
    // The question must change, because the same question would get the recorded answer.
    if (remarks.length === before) remarks.push('the answer gave no capability');
  }
  return undefined;
}

function readCode({ wanted, remarks }: SearchState, text: string): Found {
  const capability = capabilityOfCode(wanted, text);
  const issues: Issue[] = [];
  readOwnCapabilities([capability], issues);
  if (issues.length === 0) return good({ kind: 'own', capability });
  remarks.push(`the code is not valid: ${issues.map(({ message }) => message).join('; ')}`);
  return undefined;
}

/** `logic` is a person's description. */
function* write({ wanted, brief, asker, limits, remarks }: SearchState, logic?: string): Work<Found> {
  const made = yield* writeCapability(wanted, brief.goal ?? '', asker, limits, logic);
  if (made.ok) return good({ kind: 'own', capability: made.value });
  remarks.push(`no capability was written: ${made.error}`);
  return undefined;
}

/** `from` is the place to search; by default the template's servers. */
function* discover({ wanted, brief, remarks }: SearchState, from?: string): Work<Found> {
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
  if (named !== undefined && another === undefined) return good({ kind: 'found', declaration: named });
  const { certain, candidates } = matchGoal(wanted.description, declared);
  const declaration = declared.find(({ name }) => name === certain?.name);
  if (declaration !== undefined) return good({ kind: 'found', declaration });
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
  const answer = yield* askForJson(asker, suggestionForm, said);
  if (answer !== undefined) return typeof answer.name === 'string' && !('none' in answer) ? answer : undefined;
  return suggestNearest(wanted, capabilities);
}

function suggestNearest(
  { nearest }: MissingCapability,
  capabilities: readonly CapabilityLine[],
): JsonObject | undefined {
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

type PersonChoice =
  | { readonly kind: 'use'; readonly name: string }
  /** A description in plain words. */
  | { readonly kind: 'describe'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  /** A server name, a URL, or a pattern of names. */
  | { readonly kind: 'discover'; readonly text: string }
  | { readonly kind: 'none' };

/** `remarks` holds results of the search so far. `mayDescribe` says that a model can turn a description into code. */
function questionAbout(wanted: MissingCapability, remarks: readonly string[], mayDescribe: boolean): QuestionToPerson {
  const { name, description, nearest } = wanted;
  const lines = [
    `Nothing here does "${description}" (${name}).`,
    ...(nearest.length === 0 ? [] : [`Nearest: ${nearest.map(nearText).join('; ')}.`]),
    ...remarks.map((remark) => `${remark}.`),
  ];
  const used = nearest.map((each) => each.name);
  const kinds = [...(mayDescribe ? ['describe'] : []), 'code', 'discover', 'none'];
  const answer: JsonObject = {
    type: 'object',
    required: ['choice'],
    additionalProperties: false,
    properties: {
      choice: { title: 'What shall serve it?', type: 'string', enum: [...used, ...kinds] },
      text: {
        type: 'string',
        description: `${mayDescribe ? 'With describe: how it works, in plain words. ' : ''}With code: Lisp over data/input, or JSON with input, output and lisp. With discover: a server, a URL, or a pattern such as hub.*`,
      },
    },
  };
  return { kind: 'question', question: lines.join('\n'), answer };
}

function choiceIn(answer: Json): PersonChoice | undefined {
  const choice = ownProperty(answer, 'choice');
  const text = ownProperty(answer, 'text');
  if (typeof choice !== 'string') return undefined;
  if (choice === 'none') return { kind: 'none' };
  if (choice !== 'describe' && choice !== 'code' && choice !== 'discover') return { kind: 'use', name: choice };
  return { kind: choice, text: typeof text === 'string' ? text : '' };
}

/** Reads code with or without contracts; by default its input is the plan's, and its output may be anything. */
function capabilityOfCode({ name, description, input }: MissingCapability, text: string): JsonObject {
  const written = parsed(text);
  const bare = { description, input: contractOfInput(input), output: {}, lisp: text };
  return { ...bare, ...(isJsonObject(written) ? written : {}), name };
}

function parsed(text: string): Json | undefined {
  if (!text.trim().startsWith('{"')) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
