// Translates paths in the normalized plan to paths in the planner's reply, because the planner can only fix its own words.
import type { Issue, PathPart } from '../../base/issue.ts';
import { isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import { writtenPath } from '../../template/resolve/aliases.ts';
import type { WrittenStep } from './phase.ts';
import { writtenKey } from './step-keys.ts';

export interface ReplyPaths {
  /** One entry for each step of the plan. */
  readonly steps: readonly WrittenStep[];
  /** Paths by name of the agent. */
  readonly agents: ReadonlyMap<string, readonly PathPart[]>;
}

/** Points an issue of the normalized plan into the reply. */
export function issueInReply(found: Issue, understood: Json, places: ReplyPaths): Issue {
  const path = pathInReply(understood, found.path, places);
  const [top, which] = found.path;
  const step = top === 'steps' && typeof which === 'number' ? places.steps[which] : undefined;
  return placedInText({ ...found, path }, step);
}

/** Adds the place to an issue of a step that stands in a text. */
export function placedInText(found: Issue, step: WrittenStep | undefined): Issue {
  if (step?.placeOf === undefined || found.place !== undefined) return found;
  return { ...found, place: step.placeOf(found.path.slice(step.at.length)) };
}

/** `path` points into the normalized plan. */
function pathInReply(understood: Json, path: readonly PathPart[], { steps, agents }: ReplyPaths): readonly PathPart[] {
  const [top, which, ...inside] = writtenPath(understood, path);
  if (top === 'agents' && typeof which === 'string') return [...(agents.get(which) ?? [top, which]), ...inside];
  if (top !== 'steps') return path;
  if (typeof which !== 'number') return holderOf(steps) ?? path;
  const step = steps[which];
  return step === undefined ? path : [...step.at, ...keysIn(step.written ?? step.value, inside)];
}

/** The path of the list that holds all steps, or undefined when there are several. */
function holderOf([first, ...others]: readonly WrittenStep[]): readonly PathPart[] | undefined {
  const holder = first?.at.slice(0, -1);
  const isOne = others.every(({ at }) => at.length === first?.at.length && at.at(-2) === first.at.at(-2));
  return isOne ? holder : undefined;
}

/** The rest of a path inside a step; a step in plain words has no keys. */
function keysIn(written: Json, [key, ...rest]: readonly PathPart[]): readonly PathPart[] {
  if (!isJsonObject(written) || key === undefined) return [];
  const name = typeof key === 'string' ? writtenKey(written, key) : key;
  if (!Object.hasOwn(written, String(name)) && ['handler', 'capability'].includes(String(key))) {
    const called = ['function', 'task', 'api_name', 'name'].find((each) => Object.hasOwn(written, each));
    return called === undefined ? [name] : [called];
  }
  const value = ownProperty(written, String(name)) ?? null;
  if (name === 'do') return [name, ...keysIn(value, rest)];
  return typeof value === 'object' ? [name, ...rest] : [name];
}
