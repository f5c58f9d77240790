// Reads a value that a run stores in its journal or as a blob.
import type { Json } from '../base/json.ts';
import type { StoredValue } from '../engine/record/event-parts.schema.ts';

/** `blob` reads the JSON under a digest. */
export function storedValue(stored: StoredValue, blob: (digest: string) => string | undefined): Json {
  if ('value' in stored) return stored.value;
  const value: Json = JSON.parse(blob(stored.digest) ?? 'null');
  return value;
}
