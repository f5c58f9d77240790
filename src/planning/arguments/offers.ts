// What the result of an earlier step offers to later ones: itself, its properties, and the items of its lists with theirs.
import { numberAt, propertiesOf, type Schema, schemaOf, typesOf } from '../../contract/schema.ts';

export interface Offer {
  /** Into the result; empty: all of it. */
  readonly path: readonly string[];
  readonly schema: Schema;
  /** It is taken item by item: into each item of the list at `path`. */
  readonly each?: { readonly path: readonly string[]; readonly atMost?: number };
}

/** Of a result that nobody has described, itself alone. */
export function offersOf(output: Schema | undefined): readonly Offer[] {
  if (output === undefined) return [{ path: [], schema: {} }];
  const own: Offer = { path: [], schema: output };
  const properties = Object.entries(propertiesOf(output)).map(
    ([name, schema]): Offer => ({ path: [name], schema: schemaOf(schema) }),
  );
  const whole = [own, ...properties];
  return [...whole, ...whole.flatMap(itemsOf)];
}

function itemsOf({ path, schema }: Offer): readonly Offer[] {
  if (!isList(schema)) return [];
  const items = schemaOf(schema.items);
  const atMost = numberAt(schema, 'maxItems');
  const limit = atMost === undefined ? {} : { atMost };
  const fields = Object.entries(propertiesOf(items)).map(
    ([name, field]): Offer => ({ path, schema: schemaOf(field), each: { path: [name], ...limit } }),
  );
  return [{ path, schema: items, each: { path: [], ...limit } }, ...fields];
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
