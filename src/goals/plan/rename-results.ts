// Renames the steps in references to results: `{{ results.list_issues.issues }}`.
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

/** A reference to the result of a step; the second group is the name of the step. */
export const RESULT_REFERENCE = /(\bresults\.)([A-Za-z_]\w*)/g;

/** Steps without a new name keep theirs. */
export function renameResults(input: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(input).map(([key, each]) => [key, renamed(each, names)] as const));
}

function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (isJsonArray(value)) return value.map((each) => renamed(each, names));
  if (isJsonObject(value)) return renameResults(value, names);
  if (typeof value !== 'string' || !value.includes('{{')) return value;
  return value.replace(RESULT_REFERENCE, (_, results: string, name: string) => `${results}${names.get(name) ?? name}`);
}
