// What a producer may produce, as a list of plain alternatives: one kind of value each, no unions, no references.
import { canonicalJson, isJsonArray, isJsonObject, type Json } from '../../base/json.ts';
import { conjuncts, type Kind, kindOf, kinds, kindsOf, type Schema, typesOf, unionsOf, valuesOf } from '../schema.ts';

/** Schemas that all hold for a value of one kind; their unions and references are already spread. */
export interface Alternative {
  readonly kind: Kind;
  readonly parts: readonly Schema[];
  /** The only values it may be, when they are listed. */
  readonly values?: readonly Json[];
}

/** More alternatives than these are not compared. */
const MAX_ALTERNATIVES = 128;

/** Undefined: too many to compare. An empty list: nothing can be produced. */
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

/** The values of this kind that every part leaves open; undefined when they are not listed. */
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

/** The schema that only this value fits, so that its inside is compared as a declared inside is. */
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

/** Whether the alternative's numbers are whole. */
export function isWhole(alternative: Alternative): boolean {
  if (alternative.values !== undefined) return alternative.values.every(Number.isInteger);
  return alternative.parts.some((part) => {
    const types = typesOf(part);
    return types.includes('integer') && !types.includes('number');
  });
}
