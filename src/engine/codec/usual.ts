// Leaves out of a record what is usual of its kind, and puts it back.
import type { Json, JsonObject } from '../../base/json.ts';

/** Ready to be written as JSON: fields equal to the usual ones are undefined, and null stands for each that is absent. */
export function leaveOut(record: object, usual: JsonObject): object {
  const rest: Record<string, unknown> = { ...record };
  for (const key in usual) {
    if (rest[key] === undefined) rest[key] = null;
    else if (isSame(rest[key], usual[key])) rest[key] = undefined;
  }
  return rest;
}

/** None of the usual fields may be null in a record itself. */
export function putBack(written: JsonObject, usual: JsonObject): JsonObject {
  const record: Record<string, Json> = { ...usual, ...written };
  for (const key in usual) if (record[key] === null) delete record[key];
  return record;
}

/** Of maps and lists as of scalars: what they hold. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => isSame(left[key], right[key]));
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
