// Removes the invalid parts of a document, so that later stages can check the valid parts.
import type { PathPart } from '../../base/issue.ts';
import { isJsonObject, type Json } from '../../base/json.ts';

/** Drops keys of maps; replaces items of lists by null, so that other items keep their index. */
export function prune(value: Json, paths: readonly (readonly PathPart[])[]): Json {
  if (paths.length === 0) return value;
  if (Array.isArray(value)) {
    return value.map((each: Json, index) => {
      const inside = below(paths, index);
      return inside.some((path) => path.length === 0) ? null : prune(each, inside);
    });
  }
  if (!isJsonObject(value)) return value;
  const kept: [string, Json][] = [];
  for (const [key, each] of Object.entries(value)) {
    const inside = below(paths, key);
    if (!inside.some((path) => path.length === 0)) kept.push([key, prune(each, inside)]);
  }
  return Object.fromEntries(kept);
}

function below(paths: readonly (readonly PathPart[])[], part: PathPart): readonly (readonly PathPart[])[] {
  return paths.filter((path) => path[0] === part).map((path) => path.slice(1));
}
