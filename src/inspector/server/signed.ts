// The keys that all orders of the page share: the author, the reason, and the key that makes retries safe.
import { issue } from '../../base/issue.ts';
import { type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import type { Order } from '../../engine/record/event-parts.schema.ts';
import type { Signed } from '../wire.schema.ts';

export const text: JsonObject = { type: 'string' };

/** The keys as JSON Schemas. */
export const signed: Readonly<Record<keyof Signed, JsonObject>> = {
  key: { type: 'string', minLength: 1, maxLength: 100 },
  by: { type: 'string', maxLength: 100 },
  why: { type: 'string', maxLength: 10_000 },
};

/** `T` must be the type that `shape` describes. Issues: INPUT_INVALID. */
export function checked<T>(shape: JsonObject, said: Json): Result<T> {
  const read = contractOf(shape).check(said);
  if (read.ok) return good(read.value as T);
  return bad(read.error.map(({ path, message }) => issue('INPUT_INVALID', message, { path })));
}

/** `served` is the name of the person who serves the page; it signs orders without a signature. */
export function signatureOf({ by = '', why = '' }: Signed, served: string): Order {
  const [name, reason] = [by.trim(), why.trim()];
  return { by: name === '' ? served : name, ...(reason === '' ? {} : { why: reason }) };
}

export function keyOf(said: Json): string | undefined {
  const key = ownProperty(said, 'key');
  return typeof key === 'string' ? key : undefined;
}
