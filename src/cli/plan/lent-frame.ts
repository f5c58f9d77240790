// The frame that a template lends to a goal without a template: everything in it except its own steps.
import { dirname, join } from 'node:path';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { UsageError } from '../usage-error.ts';
import { readPlan } from './read-plan.ts';

/** Keys that describe the template itself: its identity, its steps and its input. */
const own = new Set([
  'reconverge',
  'name',
  'version',
  'description',
  'metadata',
  'input',
  'input_schema',
  'output',
  'steps',
]);

/** Paths to modules are rewritten, because they are relative to the template. @throws UsageError when the file cannot be read */
export async function lentFrame(file: string): Promise<Result<JsonObject>> {
  const read = await readPlan(file, '--template ');
  if (!read.ok) return bad(read.error);
  const { value } = read.value;
  if (!isJsonObject(value)) throw new UsageError(`--template ${file} is not a template`);
  const beside = dirname(file);
  const frame = Object.entries(value).filter(([key]) => !own.has(key));
  return good(
    Object.fromEntries(frame.map(([key, each]) => [key, key === 'capabilities' ? moved(each, beside) : each])),
  );
}

function moved(capabilities: Json, beside: string): Json {
  if (!isJsonArray(capabilities)) return capabilities;
  return capabilities.map((each) =>
    typeof each === 'string' && /^\.{1,2}\//.test(each) ? besideOf(beside, each) : each,
  );
}

function besideOf(folder: string, path: string): string {
  const joined = join(folder, path);
  return joined.startsWith('.') || joined.startsWith('/') ? joined : `./${joined}`;
}
