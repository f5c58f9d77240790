// The receipt: what became of each result on its way into a packet, and where the whole of it can be found.
import type { JsonObject } from '../base/json.ts';
import type { StepRecord } from './request.ts';

/** `outlined`: size and shape only. */
export type Shown = 'included' | 'shrunk' | 'outlined' | 'left out';

export interface ReceiptItem {
  readonly ref: { readonly step: string; readonly attempt: number };
  readonly shown: Shown;
  /** Of the result's JSON in UTF-8. */
  readonly bytes: { readonly before: number; readonly after: number };
  readonly tokens: { readonly before: number; readonly after: number };
}

export interface Extent {
  readonly bytes: number;
  readonly tokens: number;
}

export function receiptItem({ id, attempt }: StepRecord, shown: Shown, before: Extent, after: Extent): ReceiptItem {
  return {
    ref: { step: id, attempt },
    shown,
    bytes: { before: before.bytes, after: after.bytes },
    tokens: { before: before.tokens, after: after.tokens },
  };
}

/** As it stands in the packet, in few words. */
export function receiptLine({ ref, shown, bytes }: ReceiptItem): JsonObject {
  return { step: ref.step, attempt: ref.attempt, shown, bytes: bytes.before };
}
