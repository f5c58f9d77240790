// Reads references in the texts of a proposed step, in any system's spelling.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { type SchemaAtPath, schemaAt } from '../../contract/path.ts';
import { kindsOf } from '../../contract/schema.ts';
import { isLisp, literalText } from '../../template/references.ts';
import { type DoubtfulReference, readForeignReferences, type StepsByName } from './foreign-references.ts';

export interface ReferenceReading {
  readonly steps: StepsByName;
  /** The known capabilities. */
  readonly declarations: Readonly<Record<string, Declaration>>;
  readonly notes: Set<string>;
  readonly issues: Issue[];
}

const INPUTS = ['input', 'inputs', 'args', 'arguments', 'parameters', 'params', 'action_input', 'tool_input'];
const VALUES = [...INPUTS, 'for_each'];
/** Keys of texts that may hold references. */
const TEXTS = ['goal', 'prompt', 'question', 'message'];
const CALLS = ['handler', 'capability', 'tool', 'action', 'function', 'tool_name', 'api_name'];
const DEPENDENCIES = ['dependencies', 'depends_on', 'requires', 'after', 'deps', 'depends', 'dep'];
const NAMES = ['name', 'id', 'task_id', 'step_id'];

/** The name of a step, under any usual key. */
export function writtenName(step: Json): string | undefined {
  const said = NAMES.map((key) => ownProperty(step, key)).find((each) => each !== undefined && each !== null);
  return typeof said === 'string' || typeof said === 'number' ? String(said) : undefined;
}

/** `at` is the step's path in the reply. A step in plain words is a task for an agent. */
export function withReferences(step: Json, at: readonly PathPart[], reading: ReferenceReading): Json {
  if (typeof step === 'string') return inText(step, at, { reading, literal: false });
  if (!isJsonObject(step)) return step;
  const called = CALLS.map((key) => step[key]).find((each) => typeof each === 'string');
  const contract = typeof called === 'string' ? ownInput(reading.declarations, called) : 'unknown';
  const entries = Object.entries(step).map(([key, value]): [string, Json] => {
    const place = [...at, key];
    if (key === 'do') return [key, withReferences(value, place, reading)];
    if (DEPENDENCIES.includes(key)) return [key, inDependencies(value, reading.steps)];
    if (VALUES.includes(key)) return [key, inValue(value, place, INPUTS.includes(key) ? contract : 'unknown', reading)];
    if (TEXTS.includes(key) && typeof value === 'string')
      return [key, inText(value, place, { reading, literal: true })];
    if (TEXTS.includes(key)) return [key, literalIn(value) ?? value];
    // A description is the task of an agent's step, and only a remark for other steps.
    if (key !== 'description' || called !== undefined || typeof value !== 'string') return [key, value];
    return [key, inText(value, place, { reading, literal: false })];
  });
  return Object.fromEntries(entries);
}

function ownInput(declarations: ReferenceReading['declarations'], name: string): SchemaAtPath {
  return (Object.hasOwn(declarations, name) ? declarations[name]?.input : undefined) ?? 'unknown';
}

/** Reads an input; a map of arguments is not a `{ text: … }` literal. */
function inValue(value: Json, at: readonly PathPart[], contract: SchemaAtPath, reading: ReferenceReading): Json {
  if (typeof value === 'string') return inText(value, at, { reading, literal: true });
  if (isLisp(value)) return value;
  const inside = (part: PathPart): SchemaAtPath =>
    typeof contract === 'string' ? contract : schemaAt(contract, [part]);
  const part = (each: Json, key: PathPart): Json =>
    literalAt(each, inside(key), reading) ?? inValue(each, [...at, key], inside(key), reading);
  if (isJsonArray(value)) return value.map(part);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, part(each, key)] as const));
}

/** The text of `{ text: … }` when the contract takes a text, or when the text would otherwise be read for references. */
function literalAt(value: Json, contract: SchemaAtPath, { steps }: ReferenceReading): string | undefined {
  const literal = literalIn(value);
  if (literal === undefined) return undefined;
  const kinds = typeof contract === 'string' ? undefined : kindsOf(contract);
  if (kinds !== undefined && !(kinds.has('string') && kinds.has('map')))
    return kinds.has('string') ? literal : undefined;
  const text = String(ownProperty(value, 'text'));
  const { certain, doubts } = readForeignReferences(text, steps);
  return text.includes('{{') || certain.length + doubts.length > 0 ? literal : undefined;
}

function literalIn(value: Json): string | undefined {
  if (!isJsonObject(value) || typeof value.text !== 'string' || Object.keys(value).length > 1) return undefined;
  return /[${<#]/.test(value.text) ? literalText(value.text) : value.text;
}

interface TextPlace {
  readonly reading: ReferenceReading;
  /** A `{ text: … }` literal is possible here. */
  readonly literal: boolean;
}

function inText(text: string, at: readonly PathPart[], { reading, literal }: TextPlace): string {
  const { text: read, certain, doubts } = readForeignReferences(text, reading.steps);
  for (const spelled of certain) reading.notes.add(`${spelled} as a reference`);
  for (const doubt of doubts) reading.issues.push(foreign(doubt, at, literal, reading.steps));
  // A description is passed on as written, so its braces need no escapes.
  return literal || certain.length > 0 ? read : text;
}

function foreign(
  { spelled, reference }: DoubtfulReference,
  path: readonly PathPart[],
  literal: boolean,
  steps: StepsByName,
): Issue {
  const known = steps.names.slice(0, 5).map((name) => `"${name}"`);
  const write = reference ?? `{{ results.STEP }}, where STEP is one of ${known.join(', ')}`;
  const hint = literal
    ? `write ${write} to refer to a result; where the text is meant as it stands, write {"text": "…"} in its place`
    : `put ${write} under "input" and speak of it in words; a text that is meant as it stands goes there as {"text": "…"}`;
  const message = `${spelled} looks like a reference to a step, as another system spells it`;
  return issue('REFERENCE_FOREIGN', message, { path, hint });
}

/** Reduces a dependency such as `{{ results.a }}` to the step's name. */
function inDependencies(value: Json, steps: StepsByName): Json {
  if (isJsonArray(value)) return value.map((each) => inDependencies(each, steps));
  if (typeof value !== 'string' || steps.names.includes(value)) return value;
  const name = /^\{\{ results(?:\.([\w-]+)|\["([^"]+)"\])/.exec(readForeignReferences(value, steps).text);
  return name?.[1] ?? name?.[2] ?? value;
}
