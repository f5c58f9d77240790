// The receipt: how much of each result a packet shows, and a reference to the whole result.
import type { Digest } from '../base/digest.ts';
import { defined, type JsonObject } from '../base/json.ts';
import type { MissingNeed } from './needs/look-up.ts';
import type { Choice, Visibility } from './shelf/choice.ts';
import type { Weight } from './weight.ts';

export interface ReceiptItem {
  readonly ref: {
    readonly step: string;
    readonly attempt: number;
    /** The digest of the blob that holds the result; absent when the step's own event holds it. */
    readonly digest?: Digest;
  };
  /** The name of a need; absent for a result. */
  readonly need?: string;
  readonly shown: Visibility;
  /** No schema was declared; the shape was inferred from the value. */
  readonly inferred: boolean;
  /** The size of the result's JSON in UTF-8, and of the shown part. */
  readonly bytes: Change;
  readonly tokens: Change;
}

interface Change {
  readonly before: number;
  readonly after: number;
}

const nothing: Weight = { bytes: 0, tokens: 0 };

export function receiptItem({ source, shown, part }: Choice): ReceiptItem {
  const { record, weight, section, name } = source;
  const { id: step, attempt, digest } = record;
  const after = part ?? nothing;
  return {
    ref: { step, attempt, ...defined({ digest }) },
    ...(section === 'needs' ? { need: name } : {}),
    shown,
    inferred: record.schema === undefined,
    bytes: { before: weight.bytes, after: after.bytes },
    tokens: { before: weight.tokens, after: after.tokens },
  };
}

/** The short form that a packet holds. */
export function receiptLine({ source: { record, weight, section, name }, shown }: Choice): JsonObject {
  const need = section === 'needs' ? { need: name } : {};
  return { ...need, step: record.id, attempt: record.attempt, shown, bytes: weight.bytes };
}

/** The number of partly shown results of older phases, by visibility; undefined when there are none. */
export function olderLine(partial: readonly Choice[]): JsonObject | undefined {
  const counts = new Map<Visibility, number>();
  for (const { source, shown } of partial) if (source.distance > 0) counts.set(shown, (counts.get(shown) ?? 0) + 1);
  return counts.size === 0 ? undefined : { older: Object.fromEntries(counts) };
}

export function missingLine({ need, why }: MissingNeed): JsonObject {
  return { need, shown: 'left out', why };
}
