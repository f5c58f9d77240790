// Turns the arguments of a call into an input: lists by position, lists of names and values, and JSON as text.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { KnownName } from './known-names.ts';

export interface ArgumentsReading {
  readonly declarations: Readonly<Record<string, Declaration>>;
  readonly known: KnownName;
  readonly notes: Set<string>;
  readonly issues: Issue[];
}

const ARGUMENTS = ['arguments', 'args', 'parameters', 'params', 'action_input', 'tool_input'];
const CALLS = ['handler', 'capability', 'tool', 'action', 'function', 'tool_name', 'api_name'];

/** Leaves `input` alone, because there a list or a text may be meant as it stands. */
export function withArguments(step: Json, at: readonly PathPart[], reading: ArgumentsReading): Json {
  if (!isJsonObject(step)) return step;
  const key = ARGUMENTS.find((each) => Object.hasOwn(step, each));
  const called = CALLS.map((each) => step[each]).find((each) => typeof each === 'string');
  if (key === undefined || typeof called !== 'string') return step;
  const written = step[key] ?? null;
  const value = typeof written === 'string' ? fromText(written, reading.notes) : written;
  const read = isJsonArray(value) ? inputOf(value, called, [...at, key], reading) : value;
  return read === written ? step : { ...step, [key]: read };
}

/** Parses a JSON object that was written as text; another text stays. */
function fromText(text: string, notes: Set<string>): Json {
  if (text.trim() === '') return {};
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    const value: Json = JSON.parse(text);
    notes.add('arguments as JSON in a text');
    return value;
  } catch {
    return text;
  }
}

function inputOf(
  list: readonly Json[],
  called: string,
  at: readonly PathPart[],
  reading: ArgumentsReading,
): JsonObject {
  const pairs = list.map(pairIn);
  const named = pairs.filter((pair) => pair !== undefined);
  const repeated = named.find(([name], index) => named.findIndex(([other]) => other === name) !== index);
  if (repeated !== undefined) reading.issues.push(saidTwice(repeated[0], at));
  const placed = list.filter((_, index) => pairs[index] === undefined);
  if (named.length > 0) reading.notes.add('arguments as a list of names and values');
  if (placed.length === 0) return Object.fromEntries(named);
  reading.notes.add('arguments by their position');
  const taken = Object.fromEntries(named);
  const fields = fieldsOf(called, reading)?.filter((field) => !Object.hasOwn(taken, field));
  if (fields === undefined) return { ...taken, arguments: placed };
  if (placed.length > fields.length) reading.issues.push(tooMany(called, fields, placed.length, at));
  return {
    ...Object.fromEntries(fields.slice(0, placed.length).map((field, index) => [field, placed[index] ?? null])),
    ...taken,
  };
}

/** The entry of `{name, value}`. */
function pairIn(value: Json): [string, Json] | undefined {
  if (!isJsonObject(value) || typeof value.name !== 'string' || !Object.hasOwn(value, 'value')) return undefined;
  return Object.keys(value).length === 2 ? [value.name, value.value ?? null] : undefined;
}

/** The fields of a capability's input in the order of its contract; undefined without such a contract. */
function fieldsOf(called: string, { declarations, known }: ArgumentsReading): readonly string[] | undefined {
  const name = known(called);
  const input = Object.hasOwn(declarations, name) ? declarations[name]?.input : undefined;
  const properties = ownProperty(input, 'properties');
  return isJsonObject(properties) ? Object.keys(properties) : undefined;
}

function saidTwice(name: string, path: readonly PathPart[]): Issue {
  return issue('SHAPE_KEY_REPEATED', `there are two arguments called "${name}"`, { path, hint: 'keep one of them' });
}

function tooMany(called: string, fields: readonly string[], given: number, path: readonly PathPart[]): Issue {
  const takes = fields.length === 0 ? 'no arguments' : `only ${fields.map((field) => `"${field}"`).join(', ')}`;
  return issue('ARGUMENT_UNEXPECTED', `"${called}" takes ${takes} by position, and the plan gives ${given}`, {
    path,
    hint: 'give each argument its name',
  });
}
