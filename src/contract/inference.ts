// Infers a schema from a value without a contract: its shape, but none of its data.
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { namesAt, propertiesOf, type Schema, schemaOf } from './schema.ts';

/** Limits the items, keys and levels to look at, so that large values cost no more. */
const MAX_ITEMS = 50;
const MAX_NAMES = 100;
const MAX_DEPTH = 8;
const MAX_VALUES = 2_000;

/** Marks the schema with `x-inferred`. A property is required if every sampled item has it. */
export function inferSchema(value: Json): Schema {
  return { ...shapeOf(value, 0, { left: MAX_VALUES }), 'x-inferred': true };
}

interface ValueBudget {
  left: number;
}

function shapeOf(value: Json, depth: number, bound: ValueBudget): Schema {
  bound.left -= 1;
  if (bound.left < 0) return {};
  if (isJsonArray(value)) return depth === MAX_DEPTH ? { type: 'array' } : listShape(value, depth, bound);
  if (isJsonObject(value)) return depth === MAX_DEPTH ? { type: 'object' } : mapShape(value, depth, bound);
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: value === null ? 'null' : typeof value };
}

function listShape(items: readonly Json[], depth: number, bound: ValueBudget): Schema {
  if (items.length === 0) return { type: 'array' };
  return { type: 'array', items: common(items.slice(0, MAX_ITEMS).map((item) => shapeOf(item, depth + 1, bound))) };
}

function mapShape(value: JsonObject, depth: number, bound: ValueBudget): Schema {
  const names = Object.keys(value).slice(0, MAX_NAMES);
  const shapes = names.map((name) => [name, shapeOf(value[name] ?? null, depth + 1, bound)] as const);
  return { type: 'object', properties: Object.fromEntries(shapes), required: names };
}

/** The narrowest shape that accepts everything that one of the shapes accepts. */
function common(shapes: readonly Schema[]): Schema {
  if (shapes.some((shape) => Object.keys(shape).length === 0)) return {};
  const byType = Map.groupBy(shapes.flatMap(alternatives), (shape) => shape.type);
  if (byType.has('number')) byType.delete('integer');
  const merged = [...byType.values()].map(merge);
  const [only, another] = merged;
  if (only === undefined) return {};
  if (another === undefined) return only;
  const plain = merged.every((shape) => Object.keys(shape).length === 1);
  return plain ? { type: merged.map((shape) => shape.type ?? null) } : { anyOf: merged };
}

function alternatives(shape: Schema): readonly Schema[] {
  if (isJsonArray(shape.anyOf)) return shape.anyOf.map(schemaOf);
  return isJsonArray(shape.type) ? shape.type.map((type) => ({ type })) : [shape];
}

/** Merges shapes of the same type. */
function merge(shapes: readonly Schema[]): Schema {
  const [first = {}] = shapes;
  if (first.type === 'array') {
    const items = shapes.flatMap((shape) => (shape.items === undefined ? [] : [schemaOf(shape.items)]));
    return items.length === 0 ? first : { type: 'array', items: common(items) };
  }
  if (first.type !== 'object') return first;
  const byName = Map.groupBy(
    shapes.flatMap((shape) => Object.entries(propertiesOf(shape))),
    ([name]) => name,
  );
  const properties = [...byName].map(
    ([name, found]) => [name, common(found.map(([, shape]) => schemaOf(shape)))] as const,
  );
  const required = [...byName.keys()].filter((name) =>
    shapes.every((shape) => namesAt(shape, 'required').includes(name)),
  );
  return { type: 'object', properties: Object.fromEntries(properties), required };
}
