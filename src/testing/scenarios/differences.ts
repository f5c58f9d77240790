// What is otherwise than it was expected, path by path: of maps only what is expected is looked at.
import { defined, isJsonArray, isJsonObject, type Json, ownProperty } from '../../base/json.ts';

export interface Difference {
  /** `output.winner`, `results.compare.0.price`. */
  readonly path: string;
  readonly expected: Json;
  /** Absent: there is nothing. */
  readonly found?: Json;
}

export function differencesOf(expected: Json, found: Json | undefined, path: string): readonly Difference[] {
  if (isJsonObject(expected) && isJsonObject(found)) {
    return Object.entries(expected).flatMap(([key, each]) =>
      differencesOf(each, ownProperty(found, key), below(path, key)),
    );
  }
  if (isJsonArray(expected) && isJsonArray(found) && expected.length === found.length) {
    return expected.flatMap((each, index) => differencesOf(each, found[index], below(path, String(index))));
  }
  if (isSame(expected, found)) return [];
  return [{ path, expected, ...defined({ found }) }];
}

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Lists of different lengths differ as a whole. */
function isSame(expected: Json, found: Json | undefined): boolean {
  return isJsonArray(expected) || isJsonObject(expected) ? false : expected === found;
}
