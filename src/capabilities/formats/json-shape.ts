// Finds the shape of JSON values: the paths in them, and the kinds of value at each path.
import { isJsonArray, isJsonObject, type Json, nameOfKind } from '../../base/json.ts';

interface ShapePath {
  /** `orders[].items[].sku`; the root is `$`. */
  readonly path: string;
  /** `map`, `list`, `string`, `number`, `boolean`, `null`. */
  readonly types: readonly string[];
  /** Number of values at the path. */
  readonly count: number;
}

export interface JsonShape {
  readonly paths: readonly ShapePath[];
  /** Levels of nesting; a scalar has 0. */
  readonly depth: number;
  /** False when there are more paths or levels than the shape lists. */
  readonly complete: boolean;
}

const MOST_PATHS = 200;
const DEEPEST = 50;
const ROOT = '$';

/** The common shape of all values. */
export function shapeOf(values: Iterable<Json>): JsonShape {
  const found = new Map<string, { readonly types: Set<string>; count: number }>();
  let depth = 0;
  let complete = true;

  const note = (path: string, value: Json): boolean => {
    const known = found.get(path);
    if (known === undefined && found.size >= MOST_PATHS) return false;
    const entry = known ?? { types: new Set<string>(), count: 0 };
    entry.types.add(nameOfKind(value));
    entry.count += 1;
    found.set(path, entry);
    return true;
  };

  const visit = (value: Json, path: string, level: number): void => {
    if (level > DEEPEST || !note(path === '' ? ROOT : path, value)) {
      complete = false;
      return;
    }
    if (isJsonArray(value)) {
      depth = Math.max(depth, level + 1);
      for (const item of value) visit(item, `${path}[]`, level + 1);
    } else if (isJsonObject(value)) {
      depth = Math.max(depth, level + 1);
      for (const [key, item] of Object.entries(value))
        visit(item, path === '' ? named(key) : `${path}.${named(key)}`, level + 1);
    }
  };

  for (const value of values) visit(value, '', 0);
  const paths = [...found].map(([path, { types, count }]) => ({ path, types: [...types].sort(), count }));
  return { paths, depth, complete };
}

/** Quotes keys that would be ambiguous in a path. */
function named(key: string): string {
  return /^[^.[\]"$]+$/.test(key) ? key : JSON.stringify(key);
}
