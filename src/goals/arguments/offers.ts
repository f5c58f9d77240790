// What the result of an earlier step offers to later ones: itself, its properties, and the items of its lists with theirs.
import { defined } from '../../base/json.ts';
import { numberAt, propertiesOf, type Schema, schemaOf, typesOf } from '../../contract/schema.ts';

export interface Offer {
  /** Into the result; empty: all of it. */
  readonly path: readonly string[];
  readonly schema: Schema;
  /** It is taken item by item: into each item of the list at `path`. */
  readonly each?: { readonly path: readonly string[]; readonly atMost?: number };
}

/** Maps within maps are looked into this far. */
const DEEPEST = 3;

/** Of a result that nobody has described, itself alone. */
export function offersOf(output: Schema | undefined): readonly Offer[] {
  if (output === undefined) return [{ path: [], schema: {} }];
  const whole = within(output, DEEPEST);
  return [...whole, ...whole.flatMap(itemsOf)];
}

/** A value, and what is in it where it is a map: the outer ones first. */
function within(schema: Schema, depth: number): readonly Offer[] {
  const inner = Object.entries(depth > 0 ? propertiesOf(schema) : {}).flatMap(([name, each]) =>
    within(schemaOf(each), depth - 1).map((offer) => ({ ...offer, path: [name, ...offer.path] })),
  );
  return [{ path: [], schema }, ...inner.toSorted((one, other) => one.path.length - other.path.length)];
}

function itemsOf({ path, schema }: Offer): readonly Offer[] {
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

/** The one list of a result that is a map with one list, as many servers answer: where it is; the list itself is at the root. */
export function collectionIn(output: Schema): readonly string[] | undefined {
  if (isList(output)) return [];
  const lists = Object.entries(propertiesOf(output)).filter(([, schema]) => isList(schemaOf(schema)));
  const [only, another] = lists;
  return only === undefined || another !== undefined ? undefined : [only[0]];
}
