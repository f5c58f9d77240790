// Turns a refinement (limit, sort, filter) into properties of a contract.
import type { Json, JsonObject } from '../../base/json.ts';
import { openKinds, propertiesOf, type Schema, schemaOf, valuesOf } from '../../contract/schema.ts';
import { stemOf, wordsOfName } from '../match/terms.ts';
import { fitTo } from './fit-value.ts';
import { propertyFor } from './property-name.ts';
import type { Refinement } from './refinement.ts';
import { equivalence, keyOf } from './synonyms.ts';
import { likeness } from './word-likeness.ts';

/** Undefined when the property is missing or ambiguous, or does not take the value. */
export function parametersOf(refinement: Refinement, contract: Schema): JsonObject | undefined {
  switch (refinement.kind) {
    case 'value':
      return (
        (refinement.end && under(refinement.end, refinement.value, contract)) ??
        under(refinement.name, refinement.value, contract)
      );
    case 'sort':
      return sorted(refinement, contract);
    case 'choice':
      return chosen(refinement.value, contract);
  }
}

export function all(parts: readonly (JsonObject | undefined)[]): JsonObject | undefined {
  return parts.some((part) => part === undefined) ? undefined : Object.assign({}, ...parts);
}

/** The value under the property that the name means. */
function under(name: string, value: Json, contract: Schema): JsonObject | undefined {
  const property = propertyFor(name, contract, value);
  if (property === undefined) return undefined;
  const schema = schemaOf(propertiesOf(contract)[property]);
  // The number in `page 3` counts pages and is no page id.
  if (typeof value === 'number' && !openKinds(schema, contract).has('number')) return undefined;
  const fitted = fitTo(value, schema, contract);
  return fitted.ok ? { [property]: fitted.value } : undefined;
}

/** A property for the sort order; its values never filter. */
export function isOrdering(property: string): boolean {
  const key = keyOf(property);
  return equivalence(keyOf('sort by'), key) > 0 || equivalence(keyOf('direction'), key) > 0;
}

const WAYS = { asc: ['asc', 'ascending', 'ASC'], desc: ['desc', 'descending', 'DESC'] } as const;

function sorted(
  { by, direction }: { readonly by?: string; readonly direction?: 'asc' | 'desc' },
  contract: Schema,
): JsonObject | undefined {
  const way = direction === undefined ? {} : directed(direction, contract);
  const field = by === undefined ? {} : sortField(by, contract);
  if (way !== undefined || by === undefined || direction === undefined) return all([field, way]);
  // Some contracts have one property for both, with values such as `created-desc`.
  return WAYS[direction].map((each) => sortField(`${by} ${each}`, contract, true)).find((each) => each !== undefined);
}

/** A free-text sort property may expect the name of a field, so a direction goes there only when its values are listed. */
function directed(direction: 'asc' | 'desc', contract: Schema): JsonObject | undefined {
  const properties = propertiesOf(contract);
  for (const way of WAYS[direction]) {
    const property = propertyFor('direction', contract, way) ?? propertyFor('sort order', contract, way);
    if (property === undefined) continue;
    const schema = schemaOf(properties[property]);
    if (valuesOf(schema) === undefined && equivalence(keyOf('sort by'), keyOf(property)) > 0) continue;
    const fitted = fitTo(way, schema, contract);
    if (fitted.ok) return { [property]: fitted.value };
  }
  return undefined;
}

function sortField(by: string, contract: Schema, isWhole = false): JsonObject | undefined {
  const property = propertyFor('sort by', contract) ?? propertyFor('sort by', contract, by);
  if (property === undefined) return undefined;
  const schema = schemaOf(propertiesOf(contract)[property]);
  const listed = valuesOf(schema);
  if (listed !== undefined) {
    const value = amongListed(by, listed, isWhole);
    return value === undefined ? undefined : { [property]: value };
  }
  return openKinds(schema, contract).has('string') ? { [property]: wordsOfName(by).join('_') } : undefined;
}

const ALIKE = 0.75;
const ROOT = 5;

/** Matches `creation date` with `created`, and `number of comments` with `comments`; with `isWhole` every word of the value must be said. */
function amongListed(said: string, listed: readonly Json[], isWhole: boolean): Json | undefined {
  const words = wordsOfName(said).map(stemOf);
  // A plain "date" means the date of creation.
  if (words.every((word) => /^(?:date|time|ag|asc|desc)/.test(word))) words.push(stemOf('created'));
  const isSaid = (word: string): boolean =>
    words.some((each) => likeness(each, word) >= ALIKE || sharesRoot(each, word));
  const found = listed.filter((value) => {
    const own = typeof value === 'string' ? wordsOfName(value).map(stemOf) : [];
    return isWhole ? own.length > 1 && own.every((word) => word === stemOf('at') || isSaid(word)) : own.some(isSaid);
  });
  return found.length === 1 ? found[0] : undefined;
}

function sharesRoot(one: string, other: string): boolean {
  return one.length > ROOT && other.length > ROOT && one.slice(0, ROOT) === other.slice(0, ROOT);
}

/** The only property that lists the value, or a flag of that name. */
function chosen(value: string, contract: Schema): JsonObject | undefined {
  const listing = Object.entries(propertiesOf(contract)).flatMap(([name, schema]) => {
    if (valuesOf(schemaOf(schema)) === undefined) return [];
    const fitted = fitTo(value, schemaOf(schema), contract);
    return fitted.ok ? [{ [name]: fitted.value }] : [];
  });
  return listing.length === 1 ? listing[0] : flagged(value, contract);
}

/** Sets the only flag with that word: `only drafts` sets `draft`. */
function flagged(value: string, contract: Schema): JsonObject | undefined {
  const stem = stemOf(value);
  const flags = Object.entries(propertiesOf(contract)).flatMap(([name, schema]) =>
    openKinds(schemaOf(schema), contract).has('boolean') && flagOf(name).stem === stem && !flagOf(name).adds
      ? [name]
      : [],
  );
  const [only, another] = flags;
  return only === undefined || another !== undefined ? undefined : { [only]: true };
}

/** The word that a flag is about; `adds` when it widens a result (`include_archived`), `excludes` when it narrows one (`skip_drafts`). */
export function flagOf(name: string): { readonly stem: string; readonly adds: boolean; readonly excludes: boolean } {
  const words = wordsOfName(name);
  const [first = ''] = words;
  const adds = /^(?:include|with|show)$/.test(first);
  const excludes = /^(?:exclude|without|hide|skip|no|ignore|omit)$/.test(first);
  const isLed = adds || excludes || /^(?:is|only|auto|allow)$/.test(first);
  const rest = (isLed ? words.slice(1) : words).filter((word) => !/^(?:only|items?)$/.test(word));
  return { stem: rest.map(stemOf).join(' '), adds, excludes };
}
