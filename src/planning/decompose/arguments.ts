// What a capability is called with, as far as a task says it word for word.
import type { Json, JsonObject } from '../../base/json.ts';
import { namesAt, propertiesOf, type Schema, schemaOf, typesOf } from '../../contract/schema.ts';
import { mapArguments } from '../arguments/map-arguments.ts';
import { isPlaceholder, mask } from './mask.ts';
import type { Parameters, Task } from './task.ts';

interface Arguments {
  readonly input: JsonObject;
  /** Required properties that the task says nothing of. */
  readonly missing: readonly string[];
  /** Properties for which it says what the contract does not take, and what is wrong with that. */
  readonly misfits: readonly { readonly property: string; readonly message: string }[];
  /** What it names that the contract does not take. */
  readonly findings: readonly string[];
}

type Pool = Record<'quoted' | 'code' | 'links' | 'paths' | 'outputs', string[]> & { readonly numbers: number[] };

/** `given`: properties that others bring; `isFirst`: nothing was done before that might bring what it says. */
export function argumentsOf(task: Task, contract: JsonObject, given: ReadonlySet<string>, isFirst: boolean): Arguments {
  const { named = {}, quoted = [], code = [], links = [], paths = [], outputs = [], numbers = [] } = task.parameters;
  const properties = propertiesOf(contract);
  const input = new Map<string, Json>();
  const taken = new Set<Json>();
  const findings: string[] = [];
  const misfits: { property: string; message: string }[] = [];
  for (const [name, value] of Object.entries(named)) {
    const property = Object.keys(properties).find((each) => plain(each) === plain(name));
    if (property === undefined) findings.push(...mapArguments({ [name]: value }, contract).findings.map(messageOf));
    if (property === undefined || given.has(property)) continue;
    taken.add(value);
    const mapped = mapArguments({ [property]: value }, contract);
    for (const [each, fitted] of Object.entries(mapped.input)) input.set(each, fitted);
    misfits.push(...mapped.findings.map(({ message }) => ({ property, message })));
  }
  const free = <Value extends Json>(values: readonly Value[]): Value[] => values.filter((each) => !taken.has(each));
  const pool: Pool = {
    quoted: free(quoted),
    code: free(code),
    links: free(links),
    paths: free(paths),
    outputs: free(outputs),
    numbers: free(numbers),
  };
  const missing: string[] = [];
  for (const property of namesAt(contract, 'required')) {
    const schema = schemaOf(properties[property]);
    if (misfits.some((each) => each.property === property)) continue;
    if (input.has(property) || given.has(property) || schema.default !== undefined) continue;
    const value = take(property, schema, pool, task, isFirst);
    if (value === undefined) missing.push(property);
    else input.set(property, value);
  }
  return { input: Object.fromEntries(input), missing, misfits, findings };
}

/** What a task says word for word, and these values as if it said them. */
export function withValues(parameters: Parameters, values: readonly Json[]): Parameters {
  const texts = values.filter((value) => typeof value === 'string');
  const pooled = (pool: 'paths' | 'links' | 'quoted') => [
    ...(parameters[pool] ?? []),
    ...texts.filter((text) => poolOf(text) === pool),
  ];
  const numbers = [...(parameters.numbers ?? []), ...values.filter((value) => typeof value === 'number')];
  return { ...parameters, numbers, paths: pooled('paths'), links: pooled('links'), quoted: pooled('quoted') };
}

function poolOf(value: string): 'paths' | 'links' | 'quoted' {
  const { text, spans } = mask(value);
  const [only, another] = spans;
  if (only === undefined || another !== undefined || !isPlaceholder(text)) return 'quoted';
  return only.kind === 'path' ? 'paths' : only.kind === 'link' ? 'links' : 'quoted';
}

function messageOf({ message }: { readonly message: string }): string {
  return message;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

const READ = /path|file|folder|source|input|image|document/i;
const WRITTEN = /out|dest|target|path|file/i;
const ADDRESS = /url|uri|link|address|endpoint|href/i;
/** Texts that say what is wanted. */
const ASKS = /^(?:prompt|question|query|instructions?|task|goal|request)$/i;
/** Texts that say it where nothing before has brought any. */
const TELLS = /^(?:text|message)$/i;

/** What stands in the task and fits the property's name and type; each is given once. */
function take(
  property: string,
  schema: Schema,
  pool: Pool,
  { description, parameters }: Task,
  isFirst: boolean,
): Json | undefined {
  const types = typesOf(schema);
  if (types.includes('integer') || types.includes('number')) return pool.numbers.shift();
  if (types.length > 0 && !types.includes('string')) return undefined;
  if (ADDRESS.test(property)) return pool.links.shift();
  const found = READ.test(property) ? pool.paths.shift() : undefined;
  const written = WRITTEN.test(property) ? pool.outputs.shift() : undefined;
  // What is to be written somewhere is not the order to write it.
  const isSaid = ASKS.test(property) || (isFirst && TELLS.test(property));
  const asks = isSaid && parameters.outputs === undefined ? description : undefined;
  return found ?? written ?? pool.quoted.shift() ?? pool.code.shift() ?? asks;
}
