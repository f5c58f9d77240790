// Reads a value that a run keeps, from the journal or from the blob store.
import type { Json } from '../base/json.ts';
import type { StoredValue } from '../engine/record/event-parts.schema.ts';
import type { RunRecord } from '../runtime/api/run-record.ts';

export function readKept(record: RunRecord, kept: StoredValue): Json {
  if ('value' in kept) return kept.value;
  return JSON.parse(record.blob(kept.digest) ?? 'null') as Json;
}
