// Fetches a result, or a part of it, by its reference: the pure half of a planner's look.
import { issue } from '../base/issue.ts';
import { defined, type Json } from '../base/json.ts';
import { didYouMean } from '../base/nearest.ts';
import { bad, good, type Result } from '../base/result.ts';
import { namesBefore, partsOf, schemaOfPart, valueAt } from './needs/result-path.ts';
import type { StepRecord } from './request.ts';
import type { Visibility } from './shelf/choice.ts';
import { sizeOf } from './shrink/view.ts';
import { resultView, showable } from './shrink.ts';

export interface FetchRequest {
  /** The results that may be fetched. */
  readonly records: readonly StepRecord[];
  /** `plan_recon.1/sniff#1`, as in the index and the receipt; without `#`, the attempt that left the result. */
  readonly ref: string;
  /** For example `files.0.name`; `*` means every item. */
  readonly path?: string;
  /** A limit for the JSON in UTF-8; larger parts are shrunk. */
  readonly maxBytes: number;
}

export interface FetchedPart {
  readonly ref: string;
  readonly shown: Exclude<Visibility, 'left out'>;
  readonly value: Json;
  readonly bytes: { readonly before: number; readonly after: number };
}

/** Never fetches elided or sensitive fields. Issues: CONTEXT_REF_UNKNOWN, CONTEXT_PATH_UNKNOWN. */
export function fetchContext({ records, ref, path, maxBytes }: FetchRequest): Result<FetchedPart> {
  const record = records.find(({ id, attempt }) => ref === id || ref === `${id}#${attempt}`);
  if (record?.result === undefined) return bad([unknownRef(ref, record, records)]);
  const parts = partsOf(path);
  const whole = valueAt(record.result, parts);
  const value = valueAt(showable(record) ?? null, parts);
  if (whole === undefined || value === undefined) return bad([unknownPath(path ?? '', record)]);
  const { schema: _, ...rest } = record;
  const schema = schemaOfPart(record.schema, parts);
  const view = resultView({ ...rest, result: value, ...defined({ schema }) }, value);
  const shown = view.show(maxBytes);
  const bytes = { before: sizeOf(whole), after: sizeOf(shown) };
  const isWhole = shown === value && value === whole;
  const isOutline = bytes.after <= view.least && view.least < view.most;
  return good({
    ref: `${record.id}#${record.attempt}`,
    shown: isWhole ? 'included' : isOutline ? 'outlined' : 'shrunk',
    value: shown,
    bytes,
  });
}

function unknownRef(ref: string, found: StepRecord | undefined, records: readonly StepRecord[]) {
  const known = records.flatMap(({ id, attempt, result }) => (result === undefined ? [] : [`${id}#${attempt}`]));
  const message = found === undefined ? `no result has the reference "${ref}"` : `"${ref}" left no value`;
  const hint = didYouMean(ref, known) ?? 'take a reference from the index or the receipt';
  return issue('CONTEXT_REF_UNKNOWN', message, { path: ['ref'], hint });
}

function unknownPath(path: string, { id, result = null }: StepRecord) {
  const names = namesBefore(result, partsOf(path));
  const hint =
    didYouMean(path.split('.').at(-1) ?? '', names) ??
    (names.length === 0 ? undefined : `there is ${names.slice(0, 8).join(', ')}`);
  return issue('CONTEXT_PATH_UNKNOWN', `there is nothing to be shown at "${path}" of the result of ${id}`, {
    path: ['path'],
    hint,
  });
}
