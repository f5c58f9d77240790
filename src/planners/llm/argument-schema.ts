// Turns the contract of a capability's input into a schema of plain keywords that also accepts references to results.
import type { Json, JsonObject } from '../../base/json.ts';
import {
  conjuncts,
  namesAt,
  numberAt,
  propertiesOf,
  type Schema,
  schemaOf,
  typesOf,
  unionsOf,
  valuesOf,
} from '../../contract/schema.ts';

/** Deeper parts of a contract accept any value; contracts that refer to themselves end here. */
const DEEPEST = 4;
/** Grammars repeat the rule of an item this often, so longer lists are left unlimited. */
const LONGEST_LIST = 20;
const MOST_BRANCHES = 6;
/** The place of the shared schema for references in the schema of an answer. */
const REFERENCE: JsonObject = { $ref: '#/$defs/reference' };

/** Servers generate under a grammar made from this schema, so it drops keywords that such servers cannot translate. */
export function argumentSchema(contract: JsonObject): JsonObject {
  const fields = conjuncts(contract, contract).flatMap((part) => Object.keys(propertiesOf(part)));
  return fields.length === 0 ? { type: 'object' } : mapSchema(conjuncts(contract, contract), contract, 0);
}

function mapSchema(parts: readonly Schema[], root: Schema, depth: number): JsonObject {
  const properties = Object.fromEntries(
    parts
      .flatMap((part) => Object.entries(propertiesOf(part)))
      .map(([name, each]) => [name, valueSchema(schemaOf(each), root, depth + 1)]),
  );
  const required = [...new Set(parts.flatMap((part) => namesAt(part, 'required')))].filter((name) =>
    Object.hasOwn(properties, name),
  );
  return { type: 'object', properties, required, additionalProperties: false };
}

function valueSchema(schema: Schema, root: Schema, depth: number): JsonObject {
  if (depth > DEEPEST) return {};
  const parts = conjuncts(schema, root);
  const values = parts.map(valuesOf).find((each) => each !== undefined);
  if (values !== undefined) return values.length === 0 ? REFERENCE : orReference([{ enum: values }]);
  const [branches] = parts.flatMap(unionsOf);
  if (branches !== undefined) return unionSchema(branches, root, depth);
  const types = new Set(parts.flatMap(typesOf));
  if (types.size === 0) return parts.some(hasFields) ? orReference([mapSchema(parts, root, depth)]) : {};
  // Text may hold references anyway.
  const alternatives = [...types].map((type) => typeSchema(type, parts, root, depth));
  return types.has('string') ? anyOf(alternatives) : orReference(alternatives);
}

function unionSchema(branches: readonly Schema[], root: Schema, depth: number): JsonObject {
  if (branches.length > MOST_BRANCHES) return {};
  const shown = branches.map((each) => valueSchema(each, root, depth + 1));
  return shown.some((each) => Object.keys(each).length === 0) ? {} : anyOf(shown);
}

function typeSchema(type: string, parts: readonly Schema[], root: Schema, depth: number): JsonObject {
  if (type === 'object') return parts.some(hasFields) ? mapSchema(parts, root, depth) : { type };
  if (type === 'array') {
    const items = parts.map((part) => part.items).find((each) => each !== undefined);
    return {
      type,
      items: items === undefined ? {} : valueSchema(schemaOf(items), root, depth + 1),
      ...within(parts, ['minItems', 'maxItems'], LONGEST_LIST),
    };
  }
  return { type, ...(type === 'integer' ? within(parts, ['minimum', 'maximum'], Number.MAX_SAFE_INTEGER) : {}) };
}

/** The bounds that a grammar can count. */
function within(parts: readonly Schema[], keywords: readonly string[], most: number): JsonObject {
  return Object.fromEntries(
    keywords.flatMap((keyword): readonly (readonly [string, Json])[] => {
      const bound = parts.map((part) => numberAt(part, keyword)).find((each) => each !== undefined);
      return bound === undefined || !Number.isInteger(bound) || Math.abs(bound) > most ? [] : [[keyword, bound]];
    }),
  );
}

function hasFields(part: Schema): boolean {
  return Object.keys(propertiesOf(part)).length > 0;
}

function orReference(alternatives: readonly JsonObject[]): JsonObject {
  return anyOf([...alternatives, REFERENCE]);
}

function anyOf(alternatives: readonly JsonObject[]): JsonObject {
  const flat = alternatives.flatMap((each) => branchesOf(each));
  const byText = new Map(flat.map((each) => [JSON.stringify(each), each]));
  const [only, another] = [...byText.values()];
  return only !== undefined && another === undefined ? only : { anyOf: [...byText.values()] };
}

function branchesOf(schema: JsonObject): readonly JsonObject[] {
  const [branches] = Object.keys(schema).length === 1 ? unionsOf(schema) : [];
  return branches ?? [schema];
}
