// Reads a person's words as a value for a contract: yes and no, a listed value, plain text, or JSON.
import type { Json } from '../../base/json.ts';
import { plain } from '../../contract/describe-contract.ts';
import { openKinds, type Schema, valuesOf } from '../../contract/schema.ts';

export function isYes(text: string): boolean {
  return /^(y|yes|true)$/i.test(text.trim());
}

export function isNo(text: string): boolean {
  return /^(n|no|false)$/i.test(text.trim());
}

/** Does not check the value against the contract. */
export function readPlain(text: string, schema: Schema): Json {
  const listed = valuesOf(schema)?.find((value) => plain(value).toLowerCase() === text.trim().toLowerCase());
  if (listed !== undefined) return listed;
  const kinds = openKinds(schema, schema);
  if (kinds.has('boolean') && isYes(text)) return true;
  if (kinds.has('boolean') && isNo(text)) return false;
  const read = readJson(text);
  if (read === undefined) return text;
  // For a contract that takes only text, `12` stays a text.
  return kinds.has('string') && kinds.size === 1 && typeof read !== 'string' ? text : read;
}

function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
