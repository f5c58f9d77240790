// Compares a value with an expectation, path by path; maps may have more keys than expected.
import { defined, isJsonArray, isJsonObject, type Json, ownProperty } from '../../base/json.ts';

export interface Difference {
  /** For example `output.winner` or `results.compare.0.price`. */
  readonly path: string;
  readonly expected: Json;
  /** Absent when the value is missing. */
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

/** Lists of different lengths are reported as a whole. */
function isSame(expected: Json, found: Json | undefined): boolean {
  return isJsonArray(expected) || isJsonObject(expected) ? false : expected === found;
}
