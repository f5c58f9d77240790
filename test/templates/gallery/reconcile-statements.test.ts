// The template reconcile-statements finds every planted difference, in the sample and in books of other shapes.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyOf, runIn } from './run-template.ts';

interface Reconciled {
  readonly totals: readonly { readonly currency: string; readonly difference: number; readonly explained: number }[];
  readonly reasons: readonly {
    readonly currency: string;
    readonly reason: string;
    readonly groups: number;
    readonly difference: number;
  }[];
  readonly to_do: readonly { readonly reason: string; readonly documents: readonly { readonly document: string }[] }[];
  readonly skipped: readonly { readonly at: string }[];
  readonly left_out: readonly string[];
}

const groupsBy = ({ reasons }: Reconciled, currency: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    reasons.filter((each) => each.currency === currency).map(({ reason, groups }) => [reason, groups]),
  );

describe('the sample', () => {
  it('has the planted differences and no other', async () => {
    const { report, output } = await runIn<Reconciled>(copyOf('reconcile-statements'));
    expect(report).toMatchObject({ status: 'completed', partial: true });
    expect(groupsBy(output, 'EUR')).toEqual({
      exact: 98,
      fee: 18,
      rounding: 3,
      'cash discount': 4,
      'partly paid': 2,
      installments: 2,
      'collective payment': 3,
      'paid twice': 1,
      overpaid: 1,
      'reference mistyped': 2,
      'no reference': 3,
      unpaid: 6,
      'unknown payment': 3,
      outgoing: 4,
      'payment listed twice': 1,
      'document listed twice': 1,
    });
    expect(groupsBy(output, 'CHF')).toEqual({ exact: 11, unpaid: 1 });
    for (const { difference, explained } of output.totals) expect(explained).toBe(difference);
    expect(output.skipped.map(({ at }) => at)).toEqual(['konto-eur.csv:124', 'konto-eur.csv:125']);
    expect(output.left_out.toSorted()).toEqual(['data/statements/konto-alt.csv', 'data/statements/notes.txt']);
  });

  it('counts a difference as a partial payment when nobody accepts discounts', async () => {
    const { output } = await runIn<Reconciled>(copyOf('reconcile-statements'), {
      input: { discounts: [], rounding_cents: 0 },
    });
    expect(groupsBy(output, 'EUR')).toMatchObject({ 'partly paid': 2 + 4 + 2, overpaid: 2 });
    expect(groupsBy(output, 'EUR')['cash discount']).toBeUndefined();
  });
});

/** Books in English: documents with plain numbers, slashes in dates, one column for each direction, UTF-16. */
function englishBooks(seed: number): {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly planted: Readonly<Record<string, number>>;
} {
  let state = seed;
  const upTo = (most: number): number => {
    state = (state * 48271) % 2147483647;
    return state % most;
  };
  const planted: Record<string, number> = {};
  const documents: string[] = ['Document;Issued;Client;Total'];
  const bank: { readonly order: number; readonly line: string }[] = [];
  const amount = (cents: number): string =>
    `${Math.floor(cents / 100).toLocaleString('en-US')}.${String(cents % 100).padStart(2, '0')}`;
  const date = (order: number): string =>
    `${String(1 + (order % 28)).padStart(2, '0')}/${String(1 + Math.floor(order / 28)).padStart(2, '0')}/2025`;
  const pay = (order: number, cents: number, text: string): void => {
    bank.push({
      order,
      line: `"${date(order)}","${text}","${cents > 0 ? amount(cents) : ''}","${cents < 0 ? amount(-cents) : ''}"`,
    });
  };
  const plans = [
    'exact',
    'exact',
    'exact',
    'rounding',
    'partly paid',
    'installments',
    'unpaid',
    'overpaid',
    'reference mistyped',
  ] as const;
  for (let at = 0; at < 120; at += 1) {
    // Numbers stand far apart, so that a mistyped one is nobody else's.
    const number = `${4_100_000 + at * 997}`;
    const cents = 10_000 + at * 731 + upTo(7);
    const order = upTo(300);
    documents.push(
      `${number};${date(upTo(300))};Client ${String.fromCharCode(65 + (at % 26)).repeat(5)};${amount(cents)}`,
    );
    const plan = plans[upTo(plans.length)] ?? 'exact';
    planted[plan] = (planted[plan] ?? 0) + 1;
    if (plan === 'exact') pay(order, cents, `payment for doc ${number}`);
    if (plan === 'rounding') pay(order, cents - 1, `${number}`);
    if (plan === 'partly paid') pay(order, Math.floor(cents * 0.4), `part of ${number}`);
    if (plan === 'installments')
      for (const part of [Math.floor(cents / 2), cents - Math.floor(cents / 2)])
        pay(upTo(300), part, `doc.${number} share ${part}`);
    if (plan === 'overpaid') pay(order, cents + 5_000, `ref ${number}`);
    if (plan === 'reference mistyped')
      pay(order, cents, `ref ${number.slice(0, 5)}${(Number(number[5]) + 5) % 10}${number.slice(6)}`);
  }
  for (const cents of [-4_200, -99]) pay(5, cents, 'bank charges');
  planted.outgoing = 2;
  const lines = bank.toSorted((a, b) => a.order - b.order).map(({ line }) => line);
  const statement = ['"Account","12-34-56"', '', '"Date","Description","Paid in","Paid out"', ...lines].join('\r\n');
  return {
    files: {
      'books/sales.csv': documents.join('\n'),
      'books/current-account.csv': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(statement, 'utf16le')]),
    },
    planted,
  };
}

describe('books of another shape', () => {
  it.each([7, 1_234, 987_654])('have the differences that were planted with seed %d', async (seed) => {
    const { files, planted } = englishBooks(seed);
    const folder = copyOf('reconcile-statements', files);
    rmSync(join(folder, 'data'), { recursive: true });
    const { report, output } = await runIn<Reconciled>(folder, { input: { folder: 'books', currency: 'GBP' } });
    expect(report).toMatchObject({ status: 'completed', partial: false });
    expect(groupsBy(output, 'GBP')).toEqual(planted);
    for (const { difference, explained } of output.totals) expect(explained).toBe(difference);
  });
});

describe('a folder without invoices', () => {
  it('fails with a sentence that says what is missing', async () => {
    const folder = copyOf('reconcile-statements', {
      'books/bank.csv': 'Date;Amount;Text;Saldo\n01.02.2026;3,00;tea;3,00\n02.02.2026;4,00;rum;7,00\n',
    });
    const { report } = await runIn<Reconciled>(folder, { input: { folder: 'books' } });
    expect(report.status).toBe('failed');
    expect(JSON.stringify(report)).toContain('no file of the folder is a list of invoices');
  });
});
