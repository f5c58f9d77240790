// The receipt: what became of each result on its way into a packet, and where the whole of it can be found.
import type { JsonObject } from '../base/json.ts';
import type { Source } from './source.ts';

/** `outlined`: only what it is and how much of it there is. */
export type Shown = 'included' | 'shrunk' | 'outlined' | 'left out';

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

export function receiptItem({ record }: Source, shown: Shown, bytes: Change, tokens: Change): ReceiptItem {
  return {
    ref: { step: record.id, attempt: record.attempt },
    shown,
    inferred: record.schema === undefined,
    bytes,
    tokens,
  };
}

/** As it stands in the packet, in few words. */
export function receiptLine({ record, bytes }: Source, shown: Shown): JsonObject {
  return { step: record.id, attempt: record.attempt, shown, bytes };
}
