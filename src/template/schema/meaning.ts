// Looks up the schema of a value by its path, for messages and for aliases of keys.
import type { PathPart } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { scenariosSchema } from './scenarios.ts';
import { fragmentSchema, includeSchema, sharedSchemas, templateSchema } from './template.ts';

export type DocumentKind = 'template' | 'include' | 'fragment' | 'scenarios';

const roots: Readonly<Record<DocumentKind, JsonObject>> = {
  template: templateSchema,
  include: includeSchema,
  fragment: fragmentSchema,
  scenarios: scenariosSchema,
};

/** The schema of the value at a path; undefined where a document may hold anything. */
export function schemaOfPath(kind: DocumentKind, path: readonly PathPart[]): JsonObject | undefined {
  let at: JsonObject | undefined = roots[kind];
  for (const part of path) {
    at =
      typeof part === 'number' ? objectAt(at, 'items') : (property(at, part) ?? objectAt(at, 'additionalProperties'));
    if (at === undefined) return undefined;
    at = followed(at);
  }
  return at;
}

/** The keys that a map with this schema declares. */
export function knownKeys(schema: JsonObject | undefined): readonly string[] {
  const properties = ownProperty(schema, 'properties');
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

/** The aliases of a map's keys: alias → own name. */
export function aliasesOf(schema: JsonObject | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const key of knownKeys(schema)) {
    const own = property(schema, key)?.['x-alias'];
    if (typeof own === 'string') found.set(key, own);
  }
  return found;
}

function property(schema: JsonObject | undefined, key: string): JsonObject | undefined {
  return objectAt(ownProperty(schema, 'properties'), key);
}

function objectAt(value: Json | undefined, key: string): JsonObject | undefined {
  const found = ownProperty(value, key);
  return isJsonObject(found) ? found : undefined;
}

/** Resolves `$ref`; keywords beside it override those of the shared schema. */
function followed(schema: JsonObject): JsonObject | undefined {
  const { $ref, ...beside } = schema;
  return typeof $ref === 'string' ? { ...objectAt(sharedSchemas, $ref.slice('#/$defs/'.length)), ...beside } : schema;
}
