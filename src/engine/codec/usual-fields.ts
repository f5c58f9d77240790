// Leaves the usual fields out of a record, and puts them back.
import type { Json, JsonObject } from '../../base/json.ts';

/** Prepares a record for JSON: a field equal to the usual one becomes undefined, an absent usual field becomes null. */
export function omitUsual(record: object, usual: JsonObject): object {
  const rest: Record<string, unknown> = { ...record };
  for (const key in usual) {
    if (rest[key] === undefined) rest[key] = null;
    else if (isSame(rest[key], usual[key])) rest[key] = undefined;
  }
  return rest;
}

/** Reverses `omitUsual`. A record itself must not hold null in a usual field. */
export function restoreUsual(written: JsonObject, usual: JsonObject): JsonObject {
  const record: Record<string, Json> = { ...usual, ...written };
  for (const key in usual) if (record[key] === null) delete record[key];
  return record;
}

/** Compares maps and lists by their contents. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => isSame(left[key], right[key]));
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
