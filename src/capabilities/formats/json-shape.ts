// The shape of JSON values: which paths there are, and what kinds of value stand at each.
import { isJsonArray, isJsonObject, type Json, nameOfKind } from '../../base/json.ts';

interface ShapePath {
  /** `orders[].items[].sku`; the root is `$`. */
  readonly path: string;
  /** `map`, `list`, `string`, `number`, `boolean`, `null`. */
  readonly types: readonly string[];
  /** How often a value stands there. */
  readonly count: number;
}

export interface Shape {
  readonly paths: readonly ShapePath[];
  /** Levels of nesting; a lone scalar has 0. */
  readonly depth: number;
  /** False when there are more paths or levels than are told. */
  readonly complete: boolean;
}

const MOST_PATHS = 200;
const DEEPEST = 50;
const ROOT = '$';

/** The shape that all values have together. */
export function shapeOf(values: Iterable<Json>): Shape {
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

/** Quoted where it would read as something else. */
function named(key: string): string {
  return /^[^.[\]"$]+$/.test(key) ? key : JSON.stringify(key);
}
