// Looks for what serves a task that nothing serves, in the order that the template says: people, a model, servers.
import type { Failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { defined, isJsonArray, type JsonObject, ownProperty } from '../../base/json.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { Call, CallOutcome } from '../../engine/record/call.ts';
import { matchGoal } from '../../goals/match/match.ts';
import { type MissingCapability, nearText } from '../../goals/plan/missing-capability.ts';
import type { Limits } from '../../lisp/limits.ts';
import type { Brief } from '../../planning/brief.ts';
import { readOwn } from '../../planning/read/own-capabilities.ts';
import type { MissingStrategy } from '../../template/keys/missing.ts';
import type { NamedModel } from '../../template/model-named.ts';
import type { Question } from '../planner.ts';
import { capabilityOfCode, choiceIn, questionAbout } from './ask-person.ts';
import type { Asker } from './model-json.ts';
import { suggestionFor, suggestionText } from './suggest.ts';
import { writeCapability } from './write-capability.ts';

export interface Means {
  readonly strategies: readonly MissingStrategy[];
  readonly model: NamedModel | undefined;
  readonly limits: Partial<Limits>;
}

export type Served =
  | { readonly kind: 'use'; readonly name: string }
  /** As a fragment brings it along. */
  | { readonly kind: 'own'; readonly capability: JsonObject }
  | { readonly kind: 'found'; readonly declaration: Declaration }
  | { readonly kind: 'none'; readonly why: string; readonly suggestions: readonly JsonObject[] }
  | { readonly kind: 'failed'; readonly failure: Failure };

type Search<End> = Generator<Call | Question, End, CallOutcome>;

/** One search, with what has come of it so far. */
interface Searching extends Means {
  readonly wanted: MissingCapability;
  readonly brief: Brief;
  readonly asker: Asker;
  readonly remarks: string[];
  readonly suggestions: JsonObject[];
}

export function* serve(wanted: MissingCapability, brief: Brief, asker: Asker, means: Means): Search<Served> {
  const searching: Searching = { ...means, wanted, brief, asker, remarks: [], suggestions: [] };
  for (const strategy of means.strategies) {
    const served = yield* trying[strategy](searching);
    if (served !== undefined) return served;
  }
  const { remarks, suggestions } = searching;
  const near = wanted.nearest.length === 0 ? 'none is granted' : `nearest: ${wanted.nearest.map(nearText).join('; ')}`;
  const why = [`no capability serves "${wanted.description}" (${near})`, ...remarks].join('; ');
  return { kind: 'none', why, suggestions };
}

type Try = (searching: Searching) => Search<Served | undefined>;

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

/** What a person says may come to nothing; then they are asked again, with the reason. */
const ROUNDS = 3;

function* ask(searching: Searching): Search<Served | undefined> {
  const { wanted, asker, remarks } = searching;
  for (let round = 0; round < ROUNDS; round++) {
    const said = yield questionAbout(wanted, remarks, asker.model !== undefined);
    if (!said.ok) return { kind: 'failed', failure: said.failure };
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
    // The same question would be answered with the same answer.
    if (remarks.length === before) remarks.push('that came to nothing');
  }
  return undefined;
}

function ofCode({ wanted, remarks }: Searching, text: string): Served | undefined {
  const capability = capabilityOfCode(wanted, text);
  const issues: Issue[] = [];
  readOwn([capability], issues);
  if (issues.length === 0) return { kind: 'own', capability };
  remarks.push(`the code does not do: ${issues.map(({ message }) => message).join('; ')}`);
  return undefined;
}

function* written({ wanted, brief, asker, limits, remarks }: Searching, logic?: string): Search<Served | undefined> {
  const made = yield* writeCapability(wanted, brief.goal ?? '', asker, limits, logic);
  if (made.ok) return { kind: 'own', capability: made.capability };
  remarks.push(`none was written: ${made.why}`);
  return undefined;
}

/** `from`: where to look; absent: on the servers that the template names. */
function* lookedUp({ wanted, brief, remarks }: Searching, from?: string): Search<Served | undefined> {
  const outcome = yield { kind: 'discover', ...defined({ from }) };
  const where = from === undefined ? 'on its servers' : `at "${from}"`;
  if (!outcome.ok) {
    remarks.push(`nothing was found ${where}: ${outcome.failure.message}`);
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

/** What a tool is called on whatever server. */
function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Written by the runtime, from what servers list. */
function declarationsIn(tools: readonly unknown[]): readonly Declaration[] {
  return JSON.parse(JSON.stringify(tools)) as readonly Declaration[];
}
