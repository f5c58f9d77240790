// The schema language of contracts, and basic queries on schemas.
import { isJsonArray, isJsonObject, type Json, type JsonObject, nameOfKind, ownProperty } from '../base/json.ts';

/** The subset of JSON Schema 2020-12 in `keywords.ts`. */
export type Schema = JsonObject;

export const kinds = ['null', 'boolean', 'number', 'string', 'list', 'map'] as const;
export type Kind = (typeof kinds)[number];

/** The meaning of `false`: no value fits. */
export const never: Schema = { enum: [] };

/** Maps JSON Schema types to kinds; an integer is a number. */
const kindOfType: Readonly<Record<string, Kind>> = {
  null: 'null',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  string: 'string',
  array: 'list',
  object: 'map',
};

export function kindOf(value: Json): Kind {
  const name = nameOfKind(value);
  return kinds.find((kind) => kind === name) ?? 'null';
}

/** `true` and an absent schema accept anything; `false` accepts nothing. */
export function schemaOf(value: Json | undefined): Schema {
  if (isJsonObject(value)) return value;
  return value === false ? never : {};
}

/** The schemas in a keyword's list; none when the keyword is absent. */
export function schemasOf(value: Json | undefined): readonly Schema[] {
  return isJsonArray(value) ? value.map(schemaOf) : [];
}

export function numberAt(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

export function namesAt(schema: Schema, keyword: string): readonly string[] {
  const value = schema[keyword];
  return isJsonArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

/** The declared properties by name. */
export function propertiesOf(schema: Schema): JsonObject {
  return isJsonObject(schema.properties) ? schema.properties : {};
}

/** The types in `type`, as written; none when absent. */
export function typesOf(schema: Schema): readonly string[] {
  return typeof schema.type === 'string' ? [schema.type] : namesAt(schema, 'type');
}

/** The values in `const` or `enum`; undefined when neither is there. */
export function valuesOf(schema: Schema): readonly Json[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const ?? null];
  return isJsonArray(schema.enum) ? schema.enum : undefined;
}

/** The kinds of value that `type`, `const` and `enum` allow. */
export function kindsOf(schema: Schema): ReadonlySet<Kind> {
  const types = typesOf(schema);
  const byType = types.length === 0 ? new Set(kinds) : new Set(types.flatMap((type) => kindOfType[type] ?? []));
  const values = valuesOf(schema);
  return values === undefined ? byType : byType.intersection(new Set(values.map(kindOf)));
}

/** Resolves `#` or `#/$defs/NAME`; undefined without a target. */
export function referred(reference: string, root: Schema): Schema | undefined {
  if (reference === '#') return root;
  const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1];
  if (name === undefined) return undefined;
  const found = ownProperty(root.$defs, name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return found === undefined ? undefined : schemaOf(found);
}

/** All schemas that apply together with `schema`: itself, its reference and its `allOf`, each once. */
export function conjuncts(schema: Schema, root: Schema): readonly Schema[] {
  const found = new Set<Schema>();
  const visit = (each: Schema): void => {
    if (found.has(each)) return;
    found.add(each);
    if (typeof each.$ref === 'string') visit(referred(each.$ref, root) ?? never);
    for (const part of schemasOf(each.allOf)) visit(part);
  };
  visit(schema);
  return [...found];
}

/** The branches of each `anyOf` and `oneOf`. */
export function unionsOf(schema: Schema): ReadonlyArray<readonly Schema[]> {
  return [schema.anyOf, schema.oneOf].filter(isJsonArray).map(schemasOf);
}

/** The kinds of value that may fit, after references and unions. */
export function openKinds(schema: Schema, root: Schema): ReadonlySet<Kind> {
  let open: ReadonlySet<Kind> = new Set(kinds);
  for (const part of conjuncts(schema, root)) {
    open = open.intersection(kindsOf(part));
    for (const branches of unionsOf(part)) {
      open = open.intersection(new Set(branches.flatMap((branch) => [...openKinds(branch, root)])));
    }
  }
  return open;
}

/** True when a schema has only titles, descriptions and hints. */
export function takesAnything(schema: Schema): boolean {
  return Object.keys(schema).every((keyword) => silentKeywords.has(keyword) || keyword.startsWith('x-'));
}

/** Keywords without constraints. */
const silentKeywords: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
]);
