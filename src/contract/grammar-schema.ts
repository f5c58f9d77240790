// Turns the contract of an input into a schema of the plain keywords that servers can translate into a grammar.
import type { Json, JsonObject } from '../base/json.ts';
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
} from './schema.ts';

/** Deeper parts of a contract accept any value; contracts that refer to themselves end here. */
const DEEPEST = 4;
/** Grammars repeat the rule of an item this often, so longer lists are left unlimited. */
const LONGEST_LIST = 20;
const MOST_BRANCHES = 6;

/**
 * A schema for servers that generate under a grammar, which cannot translate every keyword of a contract: keywords that are
 * left out make it wider. Any value that is no text may also be `alternative`, and so may a value of a choice.
 */
export function grammarSchema(contract: JsonObject, alternative?: JsonObject): JsonObject {
  const parts = conjuncts(contract, contract);
  return parts.some(hasFields) ? mapSchema(parts, { root: contract, depth: 0, alternative }) : { type: 'object' };
}

interface Spot {
  readonly root: Schema;
  readonly depth: number;
  readonly alternative: JsonObject | undefined;
}

function mapSchema(parts: readonly Schema[], spot: Spot): JsonObject {
  const properties = Object.fromEntries(
    parts
      .flatMap((part) => Object.entries(propertiesOf(part)))
      .map(([name, each]) => [name, valueSchema(schemaOf(each), deeper(spot))]),
  );
  const required = [...new Set(parts.flatMap((part) => namesAt(part, 'required')))].filter((name) =>
    Object.hasOwn(properties, name),
  );
  return { type: 'object', properties, required, additionalProperties: false };
}

function valueSchema(schema: Schema, spot: Spot): JsonObject {
  if (spot.depth > DEEPEST) return {};
  const parts = conjuncts(schema, spot.root);
  const values = parts.map(valuesOf).find((each) => each !== undefined);
  if (values !== undefined) return values.length === 0 ? {} : orOther([{ enum: values }], spot);
  const [branches] = parts.flatMap(unionsOf);
  if (branches !== undefined) return unionSchema(branches, spot);
  const types = new Set(parts.flatMap(typesOf));
  if (types.size === 0) return parts.some(hasFields) ? orOther([mapSchema(parts, spot)], spot) : {};
  const alternatives = [...types].map((type) => typeSchema(type, parts, spot));
  return types.has('string') ? anyOf(alternatives) : orOther(alternatives, spot);
}

function unionSchema(branches: readonly Schema[], spot: Spot): JsonObject {
  if (branches.length > MOST_BRANCHES) return {};
  const shown = branches.map((each) => valueSchema(each, deeper(spot)));
  return shown.some((each) => Object.keys(each).length === 0) ? {} : anyOf(shown);
}

function typeSchema(type: string, parts: readonly Schema[], spot: Spot): JsonObject {
  if (type === 'object') return parts.some(hasFields) ? mapSchema(parts, spot) : { type };
  if (type === 'array') {
    const items = parts.map((part) => part.items).find((each) => each !== undefined);
    return {
      type,
      items: items === undefined ? {} : valueSchema(schemaOf(items), deeper(spot)),
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

function deeper({ depth, ...rest }: Spot): Spot {
  return { ...rest, depth: depth + 1 };
}

function orOther(alternatives: readonly JsonObject[], { alternative }: Spot): JsonObject {
  return anyOf(alternative === undefined ? alternatives : [...alternatives, alternative]);
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
