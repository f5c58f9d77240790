// Reads a phase of a plan: its name, its steps as a list or map, and its dependencies.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import type { Place } from '../../base/place.ts';
import { dependencyKeys } from './step-keys.ts';

/** A step and its place in the reply. */
export interface WrittenStep {
  readonly value: Json;
  readonly at: readonly PathPart[];
  /** The step in the reply, where `value` is not what stands there. */
  readonly written?: Json;
  /** The place of a part of `value` in the text at `at`, for steps that are read out of a text. */
  readonly placeOf?: (path: readonly PathPart[]) => Place;
}

export interface WrittenPhase {
  /** Absent for a plan without phases. */
  readonly name?: string;
  /** The names of the phases it waits for; by default the phase before. */
  readonly after?: readonly string[];
  /** The planner's reason for the phase. */
  readonly rationale?: string;
  readonly steps: readonly WrittenStep[];
  readonly issues: readonly Issue[];
}

/** Steps as a list, or as a map by name. */
export type StepHolder = readonly Json[] | JsonObject;

const LISTS = ['steps', 'tasks'];
const NAMES = ['phase', 'name', 'id'];
const PURPOSES = ['rationale', 'goal', 'description', 'purpose'];

/** A phase has `steps` or `tasks`; no step has such a key. */
export function isPhase(value: Json): boolean {
  return LISTS.some((key) => isHolder(ownProperty(value, key)));
}

function isHolder(value: Json | undefined): value is StepHolder {
  return isJsonArray(value) || isJsonObject(value);
}

/** Reads a list of steps, a map of them, or `{phase, steps}`; `called` is the default name. */
export function readPhase(called: string, value: Json, at: readonly PathPart[]): WrittenPhase {
  if (isJsonArray(value)) return { name: called, ...readSteps(value, at) };
  if (!isJsonObject(value)) return unreadable(called, at);
  const said = Object.keys(value).filter((key) => value[key] !== null);
  const first = (keys: readonly string[]) => keys.find((key) => said.includes(key));
  const [list, name, purpose, after] = [LISTS, NAMES, PURPOSES, dependencyKeys].map(first);
  const holder = list === undefined ? undefined : value[list];
  if (list === undefined || !isHolder(holder)) return unreadable(called, at);
  const strange = said.filter((key) => ![list, name, purpose, after].includes(key));
  const unsaid = [name, purpose].filter((key) => key !== undefined && textOf(value, key) === undefined);
  const { steps, issues } = readSteps(holder, [...at, list]);
  return {
    name: textOf(value, name) ?? called,
    ...defined({
      after: after === undefined ? undefined : namesIn(value[after]),
      rationale: purpose === undefined ? undefined : (textOf(value, purpose) ?? ''),
    }),
    steps,
    issues: [
      ...strange.map((key) => unknownKey(called, key, at)),
      ...unsaid.map((key = '') => noText(called, key, at)),
      ...issues,
    ],
  };
}

/** In a map, the key names a step without a name. */
export function readSteps(holder: StepHolder, at: readonly PathPart[]): Pick<WrittenPhase, 'steps' | 'issues'> {
  if (isJsonArray(holder)) return { steps: holder.map((value, index) => ({ value, at: [...at, index] })), issues: [] };
  const steps = Object.entries(holder).map(([key, value]) => ({ value: withName(key, value), at: [...at, key] }));
  const issues = Object.entries(holder).flatMap(([key, value]) =>
    saysAnotherName(key, value) ? [twoNames(key, [...at, key])] : [],
  );
  return { steps, issues };
}

function withName(key: string, value: Json): Json {
  if (typeof value === 'string') return { name: key, input: value };
  return isJsonObject(value) && !['name', 'id'].some((each) => Object.hasOwn(value, each))
    ? { name: key, ...value }
    : value;
}

function saysAnotherName(key: string, value: Json): boolean {
  return ['name', 'id'].some((each) => (ownProperty(value, each) ?? key) !== key);
}

function textOf(value: JsonObject, key: string | undefined): string | undefined {
  const said = key === undefined ? undefined : value[key];
  return typeof said === 'string' || typeof said === 'number' ? String(said) : undefined;
}

function namesIn(value: Json | undefined): readonly string[] {
  return (isJsonArray(value) ? value : [value ?? '']).map(String).filter((name) => name !== '');
}

function unreadable(name: string, path: readonly PathPart[]): WrittenPhase {
  const found = issue('FRAGMENT_UNREADABLE', `phase "${name}" has no list of steps`, {
    path,
    hint: 'write {"phase": "…", "steps": […]}',
  });
  return { name, steps: [], issues: [found] };
}

function unknownKey(name: string, key: string, at: readonly PathPart[]): Issue {
  return issue('SHAPE_UNKNOWN_KEY', `"${key}" is not a key of a phase such as "${name}"`, {
    path: [...at, key],
    hint: 'keep only the name, the steps, the dependencies and the goal of a phase',
  });
}

function noText(name: string, key: string, at: readonly PathPart[]): Issue {
  return issue('SHAPE_WRONG_TYPE', `"${key}" of phase "${name}" must be a text`, { path: [...at, key] });
}

function twoNames(key: string, path: readonly PathPart[]): Issue {
  return issue('FRAGMENT_UNREADABLE', `the step under "${key}" says that it is called otherwise`, {
    path,
    hint: 'keep one of both names',
  });
}
