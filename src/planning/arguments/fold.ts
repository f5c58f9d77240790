// Folds orders that are parameters of a call into that call, where its contract has them and the value fits.
import type { Json, JsonObject } from '../../base/json.ts';
import { propertiesOf, type Schema, schemaOf, valuesOf } from '../../contract/schema.ts';
import { stemOf, wordsOfName } from '../match/terms.ts';
import { fitTo } from './fit-to.ts';
import { likeness } from './likeness.ts';
import { propertyFor } from './property-name.ts';
import { type Refinement, refinementsIn } from './refinement.ts';

/** An order, and the call that it became; without a contract it became none yet. */
export interface PlannedCall {
  readonly name: string;
  readonly description: string;
  readonly contract?: Schema;
  readonly input: JsonObject;
  readonly dependencies: readonly string[];
}

interface Folded<Call> {
  /** Without those that were folded; who waited for one of them waits for the call that took it up. */
  readonly calls: readonly Call[];
  readonly folded: readonly { readonly name: string; readonly into: string; readonly input: JsonObject }[];
}

/**
 * In the order of the calls, so that several may be folded into one. An order that depends on more than one call stays,
 * and so does one whose call others take as it is.
 */
export function foldRefinements<Call extends PlannedCall>(calls: readonly Call[]): Folded<Call> {
  const before = allBefore(calls);
  let kept: readonly Call[] = [];
  const folded: { name: string; into: string; input: JsonObject }[] = [];
  const stands = new Map<string, string>();
  for (const call of calls) {
    const dependencies = [...new Set(call.dependencies.map((each) => stands.get(each) ?? each))];
    const [only, another] = dependencies;
    const into = another === undefined ? kept.find(({ name }) => name === only) : undefined;
    const isShared = call.dependencies.some((each) => takenAsItIs(each, call.name, calls, before));
    const input = into === undefined || isShared ? undefined : taken(call, into);
    if (into === undefined || input === undefined) {
      kept = [...kept, { ...call, dependencies }];
      continue;
    }
    kept = kept.map((each) => (each === into ? { ...each, input: { ...each.input, ...input } } : each));
    stands.set(call.name, into.name);
    folded.push({ name: call.name, into: into.name, input });
  }
  return { calls: kept, folded };
}

/** Who waits for the call, and not for what becomes of it, wants it as it is. */
function takenAsItIs(
  name: string,
  by: string,
  calls: readonly PlannedCall[],
  before: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  return calls.some((each) => each.name !== by && each.dependencies.includes(name) && !before.get(each.name)?.has(by));
}

function allBefore(calls: readonly PlannedCall[]): ReadonlyMap<string, ReadonlySet<string>> {
  const before = new Map<string, ReadonlySet<string>>();
  for (const { name, dependencies } of calls) {
    before.set(name, new Set(dependencies.flatMap((each) => [each, ...(before.get(each) ?? [])])));
  }
  return before;
}

/** What the call before would be given, where it has no other value there. */
function taken({ description }: PlannedCall, { contract, input }: PlannedCall): JsonObject | undefined {
  const refinements = contract === undefined ? [] : refinementsIn(description);
  if (contract === undefined || refinements.length === 0) return undefined;
  const found = all(refinements.map((each) => parametersOf(each, contract)));
  const isFree = found !== undefined && Object.keys(found).every((name) => !Object.hasOwn(input, name));
  return isFree ? found : undefined;
}

const LIMITS = [
  'per_page',
  'page_size',
  'limit',
  'max_results',
  'max_count',
  'max',
  'count',
  'take',
  'top',
  'first',
  'size',
];
const PAGES = ['page', 'page_number'];
const SORTS = ['sort_by', 'order_by', 'sort', 'sort_field', 'sort_key', 'order'];
const DIRECTIONS = ['direction', 'sort_direction', 'sort_order', 'order_direction', 'dir', 'order', 'sort'];

/** It says in which order things come, and none of its values says which they are. */
export function isOrdering(property: string): boolean {
  return [...SORTS, ...DIRECTIONS].some((name) => propertyFor(name, [property]) !== undefined);
}

/** The properties that say it; undefined when one of them is missing or does not take the value. */
export function parametersOf(refinement: Refinement, contract: Schema): JsonObject | undefined {
  switch (refinement.kind) {
    case 'page':
      return all([
        refinement.limit === undefined ? {} : numbered(LIMITS, refinement.limit, contract),
        refinement.page === undefined ? {} : numbered(PAGES, refinement.page, contract),
      ]);
    case 'sort':
      return sorted(refinement, contract);
    case 'filter':
      return filtered(refinement, contract);
  }
}

function all(parts: readonly (JsonObject | undefined)[]): JsonObject | undefined {
  return parts.some((part) => part === undefined) ? undefined : Object.assign({}, ...parts);
}

function numbered(names: readonly string[], value: number, contract: Schema): JsonObject | undefined {
  return firstFitting(names, [value], contract);
}

function sorted(
  { by, direction }: { readonly by?: string; readonly direction?: 'asc' | 'desc' },
  contract: Schema,
): JsonObject | undefined {
  const field = by === undefined ? {} : sortField(by, contract);
  const used = field === undefined ? [] : Object.keys(field);
  const ways = direction === 'asc' ? ['asc', 'ascending'] : ['desc', 'descending'];
  const order = direction === undefined ? {} : firstFitting(DIRECTIONS, ways, contract, used, true);
  return all([field, order]);
}

function sortField(by: string, contract: Schema): JsonObject | undefined {
  for (const name of SORTS) {
    const property = propertyOf(name, contract);
    if (property === undefined) continue;
    const listed = valuesOf(schemaOf(propertiesOf(contract)[property]));
    const value = listed === undefined ? wordsOfName(by).join('_') : amongListed(by, listed);
    if (value !== undefined) return { [property]: value };
  }
  return undefined;
}

const ALIKE = 0.75;
const ROOT = 5;

/** `creation date` is `created`, `number of comments` is `comments`. */
function amongListed(said: string, listed: readonly Json[]): Json | undefined {
  const words = wordsOfName(said).map(stemOf);
  // The date of a thing is when it was made.
  if (words.every((word) => /^(?:date|time|age)$/.test(word))) words.push(stemOf('created'));
  const found = listed.filter(
    (value) =>
      typeof value === 'string' &&
      wordsOfName(value)
        .map(stemOf)
        .some((word) => words.some((each) => likeness(each, word) >= ALIKE || sharesRoot(each, word))),
  );
  return found.length === 1 ? found[0] : undefined;
}

function sharesRoot(one: string, other: string): boolean {
  return one.length > ROOT && other.length > ROOT && one.slice(0, ROOT) === other.slice(0, ROOT);
}

function filtered(
  { property, value }: { readonly property?: string; readonly value: Json },
  contract: Schema,
): JsonObject | undefined {
  const properties = propertiesOf(contract);
  if (property !== undefined) {
    const name = propertyOf(property, contract);
    const fitted = name === undefined ? undefined : fitTo(value, schemaOf(properties[name]), contract);
    return name === undefined || fitted?.ok !== true ? undefined : { [name]: fitted.value };
  }
  const listing = Object.entries(properties).flatMap(([name, schema]) => {
    if (valuesOf(schemaOf(schema)) === undefined) return [];
    const fitted = fitTo(value, schemaOf(schema), contract);
    return fitted.ok ? [{ [name]: fitted.value }] : [];
  });
  return listing.length === 1 ? listing[0] : undefined;
}

/** `listed`: only where the property lists its values, so that `order` is not taken for a direction that it may not be. */
function firstFitting(
  names: readonly string[],
  values: readonly Json[],
  contract: Schema,
  used: readonly string[] = [],
  listed = false,
): JsonObject | undefined {
  for (const name of names) {
    const property = propertyOf(name, contract);
    if (property === undefined || used.includes(property)) continue;
    const schema = schemaOf(propertiesOf(contract)[property]);
    if (listed && valuesOf(schema) === undefined && name !== 'direction') continue;
    for (const value of values) {
      const fitted = fitTo(value, schema, contract);
      if (fitted.ok) return { [property]: fitted.value };
    }
  }
  return undefined;
}

function propertyOf(name: string, contract: Schema): string | undefined {
  return propertyFor(name, Object.keys(propertiesOf(contract)));
}
