// A part of a result: the value at a path, and the schema that the contract has for that path.
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { schemaAt } from '../../contract/path.ts';

/** The path segment for every item of a list, or every value of a map. */
const EVERY = '*';

export function partsOf(path: string | undefined): readonly string[] {
  return (path ?? '').split('.').filter((part) => part !== '');
}

/** The value at a path, or undefined; after a `*`, the list of the values found in all items. */
export function valueAt(value: Json, path: readonly string[]): Json | undefined {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  if (part !== EVERY) {
    const inside = isJsonArray(value) ? itemAt(value, part) : ownProperty(value, part);
    return inside === undefined ? undefined : valueAt(inside, rest);
  }
  const items = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  const found = items.flatMap((item) => {
    const inside = valueAt(item, rest);
    return inside === undefined ? [] : [inside];
  });
  return found.length === 0 ? undefined : found;
}

function itemAt(items: readonly Json[], part: string): Json | undefined {
  return /^\d+$/.test(part) ? items[Number(part)] : undefined;
}

/** Undefined when the contract has no schema for the path. */
export function schemaOfPart(schema: JsonObject | undefined, path: readonly string[]): JsonObject | undefined {
  if (schema === undefined || path.length === 0) return schema;
  const item = schemaAt(
    schema,
    path.map((part) => (part === EVERY ? '0' : part)),
  );
  if (typeof item === 'string') return undefined;
  const { $defs, ...rest } = item;
  const nested = path.filter((part) => part === EVERY).reduce<JsonObject>((items) => ({ items }), rest);
  return $defs === undefined ? nested : { ...nested, $defs };
}

/** The field names at the deepest existing part of a wrong path, for a hint. */
export function namesBefore(value: Json, path: readonly string[]): readonly string[] {
  for (let length = path.length - 1; length >= 0; length -= 1) {
    const above = valueAt(value, path.slice(0, length));
    if (isJsonObject(above)) return Object.keys(above);
    if (above !== undefined) return [];
  }
  return [];
}
