// A contract as written, to its schema: without what checks values, so that loading a template compiles no checker.
import { hasErrors, type Issue } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { schemaIssues } from '../../contract/keywords.ts';
import { readTypeSignature } from '../../contract/signature.ts';

/** A JSON Schema or a signature; shape has seen to it that it is one of the two. */
export function readSchema(source: Json): Result<JsonObject> {
  if (typeof source === 'string') return readTypeSignature(source);
  if (!isJsonObject(source)) return good({});
  const issues = schemaIssues(source);
  return hasErrors(issues) ? bad(issues) : good(source, issues);
}

/** The contract under a key, if it is one; what is wrong with it is added to the issues. */
export function contractAt(raw: JsonObject, key: string, issues: Issue[]): JsonObject | undefined {
  const source = raw[key];
  if (source === undefined) return undefined;
  const read = readSchema(source);
  if (read.ok) return read.value;
  issues.push(...read.error.map((each) => ({ ...each, path: [key, ...each.path] })));
  return undefined;
}
