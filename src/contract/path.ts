// Looks up paths in a contract.
import type { PathPart } from '../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../base/json.ts';
import { conjuncts, kindsOf, never, propertiesOf, type Schema, schemaOf, schemasOf, unionsOf } from './schema.ts';

/** `unknown`: the contract leaves the path open. `absent`: the contract does not promise the path, or excludes it. */
export type SchemaAtPath = Schema | 'unknown' | 'absent';

/**
 * The schema at a path such as `files.0.name`, with its definitions. In a map with declared properties, other properties are
 * absent unless `additionalProperties` allows them; a map without declared properties is open.
 */
export function schemaAt(schema: Schema, path: string | readonly PathPart[]): SchemaAtPath {
  const parts = typeof path === 'string' ? path.split('.').filter((part) => part !== '') : path;
  let here: SchemaAtPath = schema;
  for (const part of parts) {
    if (typeof here === 'string') return here;
    here = childOf(here, String(part), schema);
  }
  return typeof here === 'string' || here === schema ? here : complete(here, schema);
}

/** Property names one level below, for suggestions. */
export function namesIn(schema: Schema, root: Schema = schema): readonly string[] {
  const parts = conjuncts(schema, root);
  const own = parts.flatMap((part) => Object.keys(propertiesOf(part)));
  const inBranches = parts.flatMap((part) => unionsOf(part).flat()).flatMap((branch) => namesIn(branch, root));
  return [...new Set([...own, ...inBranches])];
}

/** Paths of keys in `value` that the schema does not declare, although it declares their siblings. */
export function undeclaredKeys(schema: Schema, value: Json): readonly (readonly PathPart[])[] {
  if (isJsonArray(value)) {
    return value.flatMap((each, index) => below(index, undeclaredIn(schemaAt(schema, [index]), each)));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const inside = schemaAt(schema, [key]);
    return inside === 'absent' ? [[key]] : below(key, undeclaredIn(inside, each));
  });
}

function undeclaredIn(schema: SchemaAtPath, value: Json): readonly (readonly PathPart[])[] {
  return typeof schema === 'string' ? [] : undeclaredKeys(schema, value);
}

function below(part: PathPart, paths: readonly (readonly PathPart[])[]): readonly (readonly PathPart[])[] {
  return paths.map((path) => [part, ...path]);
}

/** Combines all conjuncts: absent when one excludes the name, unknown only when no conjunct knows it. */
function childOf(schema: Schema, name: string, root: Schema): SchemaAtPath {
  const parts = conjuncts(schema, root);
  const said = parts.flatMap((part) => [
    childIn(part, name),
    ...unionsOf(part).map((branches) => inUnion(branches, name, root)),
  ]);
  const known = said.filter((each) => typeof each !== 'string');
  if (known.includes(never)) return 'absent';
  const [first, ...others] = known;
  if (first !== undefined) return others.length === 0 ? first : { allOf: known };
  return said.includes('absent') ? 'absent' : 'unknown';
}

/** A name in any branch counts as promised for that branch. */
function inUnion(branches: readonly Schema[], name: string, root: Schema): SchemaAtPath {
  const said = branches.map((branch) => childOf(branch, name, root));
  if (said.includes('unknown')) return 'unknown';
  const known = said.filter((each) => typeof each !== 'string');
  const [first, ...others] = known;
  if (first === undefined) return 'absent';
  return others.length === 0 ? first : { anyOf: known };
}

function childIn(part: Schema, name: string): SchemaAtPath {
  const kinds = kindsOf(part);
  const asItem = kinds.has('list') ? itemIn(part, name) : 'absent';
  const asProperty = kinds.has('map') ? propertyIn(part, name) : 'absent';
  if (typeof asProperty !== 'string') return asProperty;
  if (typeof asItem !== 'string') return asItem;
  return asItem === 'unknown' || asProperty === 'unknown' ? 'unknown' : 'absent';
}

function itemIn(part: Schema, name: string): SchemaAtPath {
  if (!/^(0|[1-9]\d*)$/.test(name)) return 'absent';
  const item = schemasOf(part.prefixItems)[Number(name)] ?? part.items;
  return item === false ? 'absent' : isJsonObject(item) ? item : 'unknown';
}

function propertyIn(part: Schema, name: string): SchemaAtPath {
  const declared = ownProperty(part.properties, name);
  const child = declared ?? part.additionalProperties;
  if (child === false) return never;
  if (child !== undefined) return schemaOf(child);
  return Object.keys(propertiesOf(part)).length === 0 ? 'unknown' : 'absent';
}

const WHOLE = '#/$defs/whole contract';

/** Wraps a contract into another, for example a list of it, and moves its definitions to the new root. */
export function around(schema: Schema, wrap: (inside: Schema) => Schema): Schema {
  const { $defs, ...inside } = complete(schema, schema);
  return $defs === undefined ? wrap(inside) : { ...wrap(inside), $defs };
}

/** Makes part of a contract self-contained: adds its definitions, and the whole if it refers to the root. */
function complete(part: Schema, root: Schema): Schema {
  const text = JSON.stringify([part, root.$defs ?? {}]);
  if (!text.includes('"$ref":"#')) return part;
  const definitions = isJsonObject(root.$defs) ? root.$defs : {};
  if (!text.includes('"$ref":"#"')) return { ...part, $defs: definitions };
  const { $defs: _, ...whole } = root;
  return { ...pointed(part), $defs: { ...pointed(definitions), 'whole contract': pointed(whole) } };
}

function pointed(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === '$ref' && value === '#' ? WHOLE : inside(value)]),
  );
}

function inside(value: Json): Json {
  if (isJsonArray(value)) return value.map(inside);
  return isJsonObject(value) ? pointed(value) : value;
}
