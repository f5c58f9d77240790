// The receipt: what became of each result on its way into a packet, and where the whole of it can be found.
import type { Digest } from '../base/digest.ts';
import { defined, type JsonObject } from '../base/json.ts';
import type { Missing } from './needs/find.ts';
import type { Choice, Shown } from './shelf/choice.ts';
import type { Weight } from './weigh.ts';

export interface ReceiptItem {
  readonly ref: {
    readonly step: string;
    readonly attempt: number;
    /** Of the blob that holds the result; absent: it stands in the step's own event. */
    readonly digest?: Digest;
  };
  /** The name under which a need is shown; absent for what is shown as a result. */
  readonly need?: string;
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

/** As it stands in the packet, in few words. */
export function receiptLine({ source: { record, weight, section, name }, shown }: Choice): JsonObject {
  const need = section === 'needs' ? { need: name } : {};
  return { ...need, step: record.id, attempt: record.attempt, shown, bytes: weight.bytes };
}

/** What became of the results of older phases, by how many; undefined when nothing is to be told. */
export function olderLine(partial: readonly Choice[]): JsonObject | undefined {
  const counts = new Map<Shown, number>();
  for (const { source, shown } of partial) if (source.distance > 0) counts.set(shown, (counts.get(shown) ?? 0) + 1);
  return counts.size === 0 ? undefined : { older: Object.fromEntries(counts) };
}

export function missingLine({ need, why }: Missing): JsonObject {
  return { need, shown: 'left out', why };
}
