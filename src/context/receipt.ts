// The receipt: what became of each result on its way into a packet, and where the whole of it can be found.
import type { JsonObject } from '../base/json.ts';
import type { Choice, Shown } from './choice.ts';
import type { Weight } from './weigh.ts';

export interface ReceiptItem {
  readonly ref: { readonly step: string; readonly attempt: number };
  readonly shown: Shown;
  /** Nobody declared what the result is; its shape was read off the value. */
  readonly inferred: boolean;
  /** Of the result's JSON in UTF-8, and of what is shown of it. */
  readonly bytes: Change;
  readonly tokens: Change;
}

interface Change {
  readonly before: number;
  readonly after: number;
}

const nothing: Weight = { bytes: 0, tokens: 0 };

export function receiptItem({ source: { record, weight }, shown, part }: Choice): ReceiptItem {
  const after = part ?? nothing;
  return {
    ref: { step: record.id, attempt: record.attempt },
    shown,
    inferred: record.schema === undefined,
    bytes: { before: weight.bytes, after: after.bytes },
    tokens: { before: weight.tokens, after: after.tokens },
  };
}

/** As it stands in the packet, in few words. */
export function receiptLine({ source: { record, weight }, shown }: Choice): JsonObject {
  return { step: record.id, attempt: record.attempt, shown, bytes: weight.bytes };
}
