// Splits a producer's schema into alternatives: each has one kind of value, no unions and no references.
import { canonicalJson, isJsonArray, isJsonObject, type Json } from '../../base/json.ts';
import { conjuncts, type Kind, kindOf, kinds, kindsOf, type Schema, typesOf, unionsOf, valuesOf } from '../schema.ts';

/** Schemas that all apply to values of one kind, without unions and references. */
export interface Alternative {
  readonly kind: Kind;
  readonly parts: readonly Schema[];
  /** The only possible values, if the schema lists them. */
  readonly values?: readonly Json[];
}

/** The most alternatives to compare. */
const MAX_ALTERNATIVES = 128;

/** Undefined when there are too many to compare. An empty list means that no value fits. */
export function alternativesOf(schemas: readonly Schema[], root: Schema): readonly Alternative[] | undefined {
  const spread = spreadUnions(schemas, root);
  return spread?.flatMap((parts) => kinds.flatMap((kind) => alternativeOf(kind, parts)));
}

function spreadUnions(schemas: readonly Schema[], root: Schema): ReadonlyArray<readonly Schema[]> | undefined {
  const parts = schemas.flatMap((schema) => conjuncts(schema, root));
  let spread: ReadonlyArray<readonly Schema[]> = [parts];
  for (const branches of parts.flatMap(unionsOf)) {
    const inside = branches.map((branch) => spreadUnions([branch], root));
    if (inside.includes(undefined)) return undefined;
    const ways = inside.flatMap((each) => each ?? []);
    spread = spread.flatMap((sofar) => ways.map((way) => [...sofar, ...way]));
    if (spread.length > MAX_ALTERNATIVES) return undefined;
  }
  return spread;
}

function alternativeOf(kind: Kind, parts: readonly Schema[]): readonly Alternative[] {
  if (!parts.every((part) => kindsOf(part).has(kind))) return [];
  const values = listed(kind, parts);
  if (values === undefined) return [{ kind, parts }];
  if (values.length === 0) return [];
  if (kind !== 'list' && kind !== 'map') return [{ kind, parts, values }];
  return values.map((value) => ({ kind, parts: [...parts, schemaOfValue(value)], values: [value] }));
}

/** The listed values of this kind that every part allows; undefined when no part lists values. */
function listed(kind: Kind, parts: readonly Schema[]): readonly Json[] | undefined {
  const lists = [kindValues[kind], ...parts.map(valuesOf)].filter((list) => list !== undefined);
  const [first, ...rest] = lists;
  return first?.filter((value) => kindOf(value) === kind && rest.every((list) => holds(list, value)));
}

const kindValues: Readonly<Partial<Record<Kind, readonly Json[]>>> = { null: [null], boolean: [true, false] };

export function holds(list: readonly Json[], value: Json): boolean {
  const text = canonicalJson(value);
  return list.some((each) => canonicalJson(each) === text);
}

/** A schema for exactly this value, so that its parts are compared like declared ones. */
function schemaOfValue(value: Json): Schema {
  if (isJsonArray(value)) {
    const items = value.length === 0 ? {} : { prefixItems: value.map(schemaOfValue) };
    return { const: value, type: 'array', ...items, items: false, minItems: value.length, maxItems: value.length };
  }
  if (isJsonObject(value)) {
    const properties = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, schemaOfValue(each)]));
    return { const: value, type: 'object', properties, required: Object.keys(value), additionalProperties: false };
  }
  return { const: value };
}

/** True when all numbers of the alternative are integers. */
export function isWhole(alternative: Alternative): boolean {
  if (alternative.values !== undefined) return alternative.values.every(Number.isInteger);
  return alternative.parts.some((part) => {
    const types = typesOf(part);
    return types.includes('integer') && !types.includes('number');
  });
}
