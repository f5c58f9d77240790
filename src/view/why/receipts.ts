// The receipts of a planner's packets: how much of each result was shown.
import { counted } from '../../base/counted.ts';
import type { Receipt } from '../../context/body.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import { type Line, span } from '../line.ts';
import { table } from '../table.ts';

export interface PacketReceipt extends Receipt {
  readonly attempt: number;
  /** Tokens of the whole packet. */
  readonly tokens: number;
}

/** One receipt for each planning attempt. `blob`: reads the JSON that the run keeps under a digest. */
export function receiptsOf(
  events: readonly Recorded[],
  step: string,
  blob: (digest: string) => string | undefined,
): readonly PacketReceipt[] {
  const found = new Map<number, PacketReceipt>();
  for (const { event } of events) {
    if (event.type !== 'plan.requested' || event.step !== step) continue;
    const text = event.receipt === undefined ? undefined : blob(event.receipt);
    // The packet wrote this value; it was kept unchanged.
    const receipt: Receipt = text === undefined ? { items: [], missing: [] } : JSON.parse(text);
    found.set(event.attempt, { attempt: event.attempt, tokens: event.tokens, ...receipt });
  }
  return [...found.values()];
}

export function receiptsText(receipts: readonly PacketReceipt[]): readonly Line[] {
  return receipts.flatMap(({ attempt, tokens, items, missing, summary, full }) => [
    [span(`attempt ${attempt}`, 'strong'), span(`  ${counted(tokens, 'token')} of context`)],
    ...(full === undefined ? itemsText(items) : [[span(`  in full: ${sizeText(full)}`, 'good')]]),
    ...summaryText(summary),
    ...missing.map(({ need, why }) => [span(`  need ${need} `), span('left out', 'warn'), span(`: ${why}`)]),
  ]);
}

function summaryText(summary: Receipt['summary']): readonly Line[] {
  if (summary === undefined) return [];
  if (summary.tokens !== undefined)
    return [[span('  summed up by a model'), span(`  ${counted(summary.tokens, 'token')}`)]];
  return [[span('  no summary', 'warn'), span(`: ${summary.why}`)]];
}

function sizeText({ results, bytes }: NonNullable<Receipt['full']>): string {
  return `${counted(results, 'result')}, ${counted(bytes, 'byte')}`;
}

function itemsText(items: Receipt['items']): readonly Line[] {
  if (items.length === 0) return [[span('  no results came before it', 'dim')]];
  return table(
    [
      { title: '  result' },
      { title: 'shown' },
      { title: 'bytes', align: 'right' },
      { title: 'tokens', align: 'right' },
      { title: '' },
    ],
    items.map(({ ref, need, shown, inferred, bytes, tokens }) => [
      span(`  ${ref.step}#${ref.attempt}`),
      span(shown, shown === 'included' ? 'good' : 'warn'),
      span(changeText(bytes)),
      span(changeText(tokens)),
      span(
        [...(need === undefined ? [] : [`as need ${need}`]), ...(inferred ? ['without a contract'] : [])].join(', '),
        'dim',
      ),
    ]),
  );
}

/** `2412 → 310`, or one number if nothing was left out. */
function changeText({ before, after }: { readonly before: number; readonly after: number }): string {
  return before === after ? String(before) : `${before} → ${after}`;
}
