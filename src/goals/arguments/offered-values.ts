// The values that an earlier step's result offers to later steps: the result, its properties, and the items of its lists.
import { defined } from '../../base/json.ts';
import { numberAt, propertiesOf, type Schema, schemaOf, typesOf } from '../../contract/schema.ts';

export interface OfferedValue {
  /** The path into the result; empty for the whole result. */
  readonly path: readonly string[];
  readonly schema: Schema;
  /** For a value inside each item of the list at `path`: its path in the item, and the list's `maxItems`. */
  readonly each?: { readonly path: readonly string[]; readonly atMost?: number };
}

/** The deepest nesting of maps that is searched. */
const DEEPEST = 3;

/** A result without a schema offers only itself. */
export function offersOf(output: Schema | undefined): readonly OfferedValue[] {
  if (output === undefined) return [{ path: [], schema: {} }];
  const whole = within(output, DEEPEST);
  return [...whole, ...whole.flatMap(itemsOf)];
}

/** A value and, for a map, its properties, outer ones first. */
function within(schema: Schema, depth: number): readonly OfferedValue[] {
  const inner = Object.entries(depth > 0 ? propertiesOf(schema) : {}).flatMap(([name, each]) =>
    within(schemaOf(each), depth - 1).map((offer) => ({ ...offer, path: [name, ...offer.path] })),
  );
  return [{ path: [], schema }, ...inner.toSorted((one, other) => one.path.length - other.path.length)];
}

function itemsOf({ path, schema }: OfferedValue): readonly OfferedValue[] {
  if (!isList(schema)) return [];
  const atMost = numberAt(schema, 'maxItems');
  const limit = defined({ atMost });
  return within(schemaOf(schema.items), DEEPEST - 1).map((item) => ({
    path,
    schema: item.schema,
    each: { path: item.path, ...limit },
  }));
}

function isList(schema: Schema): boolean {
  return typesOf(schema).includes('array');
}

/** The path to the only list of a result: empty for a list, one key for a map with one list. */
export function collectionIn(output: Schema): readonly string[] | undefined {
  if (isList(output)) return [];
  const lists = Object.entries(propertiesOf(output)).filter(([, schema]) => isList(schemaOf(schema)));
  const [only, another] = lists;
  return only === undefined || another !== undefined ? undefined : [only[0]];
}
