// Assigns unnamed values of a task (quotes, links, paths, numbers) to properties by name and type.
import type { Json, JsonObject } from '../../base/json.ts';
import { openKinds, propertiesOf, type Schema, schemaOf } from '../../contract/schema.ts';
import { fitTo } from '../arguments/fit-value.ts';
import { identityOf } from '../arguments/property-name.ts';
import { equivalence, keyOf, stemsOf } from '../arguments/synonyms.ts';
import { isPlaceholder, mask } from '../match/mask.ts';
import type { Task, TaskValues } from '../split/task.ts';
import { PLACE } from './earlier-results.ts';

interface PooledArguments {
  readonly input: JsonObject;
  /** Values that no property took. */
  readonly left: readonly Json[];
}

const POOLS = ['quoted', 'code', 'links', 'paths', 'outputs', 'numbers'] as const;

/** Fills the `missing` required properties, using each value once. `isFirst` says that no earlier task could provide a value. */
export function pooledFor(
  missing: readonly string[],
  contract: JsonObject,
  task: Task,
  isFirst: boolean,
): PooledArguments {
  const pool: Pool = {
    quoted: [...(task.parameters.quoted ?? [])],
    code: [...(task.parameters.code ?? [])],
    links: [...(task.parameters.links ?? [])],
    paths: [...(task.parameters.paths ?? [])],
    outputs: [...(task.parameters.outputs ?? [])],
    numbers: [...(task.parameters.numbers ?? [])],
  };
  const properties = propertiesOf(contract);
  const input = new Map<string, Json>();
  // A quoted text fills an id or a place only when no other text property is missing.
  const texts = missing.filter((property) => openKinds(schemaOf(properties[property]), contract).has('string'));
  const said = texts.length > 1 ? texts.filter((each) => !PLACE.test(each) && identityOf(each).by !== 'id') : texts;
  for (const property of missing) {
    const schema = schemaOf(properties[property]);
    if (
      texts.includes(property) &&
      (!said.includes(property) ||
        isTie(
          property,
          said.filter((each) => !input.has(each)),
          pool,
        ))
    )
      continue;
    const value = take(property, schema, contract, pool, task, isFirst);
    const fitted = value === undefined ? undefined : fitTo(value, schema, contract);
    if (fitted?.ok === true) input.set(property, fitted.value);
  }
  return { input: Object.fromEntries(input), left: POOLS.flatMap((kind): readonly Json[] => pool[kind]) };
}

/** Tells whether too few texts exist for properties that begin alike, such as `secretName` and `secretValue`; then none is guessed. */
function isTie(property: string, texts: readonly string[], { quoted, code, links, paths, outputs }: Pool): boolean {
  const [first] = stemsOf(property);
  const alike = texts.filter((each) => stemsOf(each)[0] === first);
  return alike.length > [quoted, code, links, paths, outputs].flat().length && alike.length > 1;
}

type Pool = Record<'quoted' | 'code' | 'links' | 'paths' | 'outputs', string[]> & { readonly numbers: number[] };

/** The task's values without `taken` and `numbers`, plus `values`. */
export function withValues(
  parameters: TaskValues,
  taken: ReadonlySet<Json>,
  numbers: readonly number[],
  values: readonly Json[],
): TaskValues {
  const texts = values.filter((value) => typeof value === 'string');
  const free = (pool: 'paths' | 'links' | 'quoted' | 'code' | 'outputs'): readonly string[] => [
    ...(parameters[pool] ?? []).filter((each) => !taken.has(each)),
    ...texts.filter((text) => poolOf(text) === pool),
  ];
  const said = [...(parameters.numbers ?? [])];
  for (const each of numbers) if (said.includes(each)) said.splice(said.indexOf(each), 1);
  return {
    ...parameters,
    numbers: [...said, ...values.filter((value) => typeof value === 'number')],
    ...{ paths: free('paths'), links: free('links'), quoted: free('quoted') },
    ...{ code: free('code'), outputs: free('outputs') },
  };
}

function poolOf(value: string): 'paths' | 'links' | 'quoted' {
  const { text, spans } = mask(value);
  const [only, another] = spans;
  if (only === undefined || another !== undefined || !isPlaceholder(text)) return 'quoted';
  return only.kind === 'path' ? 'paths' : only.kind === 'link' ? 'links' : 'quoted';
}

const READ = /path|file|folder|director|source|input|image|document/i;
const WRITTEN = /out|dest|target|path|file/i;
/** Properties for the task itself. */
const ASKS = /^(?:prompt|question|query|instructions?|task|goal|request)$/i;
/** Properties for the task itself when no earlier task provides a text. */
const TELLS = /^(?:text|message)$/i;

/** A value of the task that fits the property's name and type; with several numbers none is guessed. */
function take(
  property: string,
  schema: Schema,
  contract: Schema,
  pool: Pool,
  { description, parameters }: Task,
  isFirst: boolean,
): Json | undefined {
  const kinds = openKinds(schema, contract);
  if (!kinds.has('string')) return kinds.has('number') && pool.numbers.length === 1 ? pool.numbers.shift() : undefined;
  if (equivalence(keyOf('url'), keyOf(property)) === 1) return pool.links.shift();
  const found = READ.test(property) ? pool.paths.shift() : undefined;
  const written = WRITTEN.test(property) ? pool.outputs.shift() : undefined;
  // For a task that writes a file, the content of the file is not the task's own text.
  const isSaid = ASKS.test(property) || (isFirst && TELLS.test(property));
  const asks = isSaid && parameters.outputs === undefined ? description : undefined;
  return found ?? written ?? pool.quoted.shift() ?? pool.code.shift() ?? asks;
}
