// Matches documents with payments, and gives each difference a reason. All amounts are whole cents.

export interface Item {
  /** For example `bank.csv:14`. */
  readonly at: string;
  readonly date: string;
  readonly cents: number;
  readonly currency: string;
  readonly text: string;
  /** Absent on payments. */
  readonly document?: string;
  readonly fee?: number;
}

export interface Group {
  readonly reason: string;
  readonly documents: readonly Item[];
  readonly payments: readonly Item[];
  /** Documents minus payments. */
  readonly difference: number;
  readonly explanation: string;
}

export interface Terms {
  readonly rounding: number;
  /** Accepted cash discounts, in percent. */
  readonly discounts: readonly number[];
}

const money = (cents: number): string => (cents / 100).toFixed(2);
const sumOf = (items: readonly Item[]): number => items.reduce((sum, { cents }) => sum + cents, 0);
const group = (reason: string, documents: readonly Item[], payments: readonly Item[], explanation: string): Group => ({
  reason,
  documents,
  payments,
  difference: sumOf(documents) - sumOf(payments),
  explanation,
});

/** Every document and every payment ends in exactly one group. */
export function match(documents: readonly Item[], payments: readonly Item[], terms: Terms): readonly Group[] {
  const [ownDocuments, twice] = withoutRepeats(documents, ({ document, cents }) => `${document} ${cents}`);
  const [single, repeated] = withoutRepeats(
    payments,
    ({ at, date, cents, text }) => `${at.replace(/:\d+$/, '')} ${date} ${cents} ${text}`,
  );
  const groups: Group[] = [
    ...twice.map((each) => group('document listed twice', [each], [], `${each.document} stands in the list again`)),
    ...repeated.map((each) => group('payment listed twice', [], [each], 'the same line stands in the statement again')),
  ];
  const open = new Set(ownDocuments);
  const unused = new Set(single);
  const take = (made: Group): void => {
    groups.push(made);
    for (const each of made.documents) open.delete(each);
    for (const each of made.payments) unused.delete(each);
  };

  for (const { documents: some, payments: paid } of byReference(ownDocuments, single)) take(judge(some, paid, terms));
  const byCents = Map.groupBy(open, ({ cents }) => cents);
  const takeOnly = (reason: string, explanation: string, means: (each: Item, payment: Item) => boolean): void => {
    for (const payment of [...unused]) {
      const meant = (byCents.get(payment.cents) ?? []).filter((each) => open.has(each) && means(each, payment));
      const [only] = meant;
      if (meant.length === 1 && only !== undefined)
        take(group(reason, [only], [payment], `means ${only.document}: ${explanation}`));
    }
  };
  takeOnly(
    'reference mistyped',
    'one character of the reference differs, and the amount is equal',
    ({ document = '' }, { text }) => isMistyped(document, text),
  );
  takeOnly('no reference', 'the name and the amount are equal', (each, payment) => sharesName(each.text, payment.text));
  for (const payment of [...unused])
    take(
      payment.cents < 0
        ? group('outgoing', [], [payment], 'money that went out, for no document of the list')
        : group(
            'unknown payment',
            [],
            [payment],
            'no document of the list has this reference, or this name and amount',
          ),
    );
  for (const document of [...open]) take(group('unpaid', [document], [], `no payment names ${document.document}`));
  return groups;
}

function withoutRepeats(
  items: readonly Item[],
  key: (item: Item) => string,
): readonly [readonly Item[], readonly Item[]] {
  const grouped = [...Map.groupBy(items, key).values()];
  return [grouped.flatMap(([first]) => first ?? []), grouped.flatMap(([, ...rest]) => rest)];
}

/** Documents and payments that name each other, directly or by others. */
function byReference(
  documents: readonly Item[],
  payments: readonly Item[],
): readonly { readonly documents: readonly Item[]; readonly payments: readonly Item[] }[] {
  const patterns = new Map(documents.map((each) => [each, referenceIn(each.document ?? '')]));
  const candidates = Map.groupBy(documents, ({ document = '' }) => digitsOf(document));
  const named = new Map(
    payments.map((payment) => [
      payment,
      numbersIn(payment.text)
        .flatMap((digits) => candidates.get(digits) ?? [])
        .filter((document) => patterns.get(document)?.test(payment.text)),
    ]),
  );
  const paidBy = Map.groupBy(
    payments.flatMap((payment) => (named.get(payment) ?? []).map((document) => ({ payment, document }))),
    ({ document }) => document,
  );
  const seen = new Set<Item>();
  return documents.flatMap((document) => {
    if (seen.has(document) || !paidBy.has(document)) return [];
    const some = new Set([document]);
    const paid = new Set<Item>();
    for (const each of some) {
      for (const { payment } of paidBy.get(each) ?? []) {
        paid.add(payment);
        for (const other of named.get(payment) ?? []) some.add(other);
      }
    }
    for (const each of some) seen.add(each);
    return [{ documents: [...some], payments: [...paid] }];
  });
}

/** Zeros are left out, because people leave out those that lead a part of a reference. */
const digitsOf = (text: string): string => text.replace(/[^1-9]/g, '');

/** The digits of up to six neighboring numbers of a text; only documents with these digits are compared letter by letter. */
function numbersIn(text: string): readonly string[] {
  const runs = (text.match(/\d+/g) ?? []).map(digitsOf);
  const joined = runs.flatMap((_, from) =>
    [1, 2, 3, 4, 5, 6].map((length) => runs.slice(from, from + length).join('')),
  );
  return [...new Set(joined)];
}

/** The digits of a reference, as people write them: R-2026-0142, R 2026/142, r20260142. */
function referenceIn(document: string): RegExp | undefined {
  const parts = document.match(/\d+/g) ?? [];
  const letters = /^[A-Za-z]+/.exec(document)?.[0] ?? '';
  if (parts.length === 0) return undefined;
  const digits = parts.map((part) => `0*${part.replace(/^0+(?=\d)/, '')}`).join('[^0-9A-Za-z]{0,2}');
  const prefix = letters === '' ? '' : `(?:${letters}[^0-9A-Za-z]{0,2})${parts.length > 1 ? '?' : ''}`;
  return new RegExp(`(?<![0-9])${prefix}${digits}(?![0-9])`, 'i');
}

/** One digit is wrong, missing, doubled, or swapped with its neighbor. */
function isMistyped(document: string, text: string): boolean {
  const wanted = document.replace(/\D/g, '');
  const found = text.match(/\d[\d\-/ ]*\d/g) ?? [];
  return wanted.length >= 5 && found.some((part) => slips(part.replace(/\D/g, ''), wanted) === 1);
}

function slips(a: string, b: string): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > 1) return 2;
  let first = 0;
  while (a[first] === b[first]) first += 1;
  const rests = [
    [a.slice(first + 1), b.slice(first + 1)],
    [a.slice(first + 1), b.slice(first)],
    [a.slice(first), b.slice(first + 1)],
    [(a[first + 1] ?? '') + (a[first] ?? '') + a.slice(first + 2), b.slice(first)],
  ];
  return rests.some(([one, other]) => one === other) ? 1 : 2;
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .normalize('NFD')
      .match(/[a-z]{4,}/g) ?? [],
  );

const FORMS = new Set([
  'gmbh',
  'limited',
  'company',
  'invoice',
  'rechnung',
  'payment',
  'zahlung',
  'sarl',
  'verein',
  'group',
]);

function sharesName(one: string, other: string): boolean {
  const words = wordsOf(other);
  return [...wordsOf(one)].some((word) => !FORMS.has(word) && words.has(word));
}

/** The reason for what a group of documents and their payments differ by. */
function judge(documents: readonly Item[], payments: readonly Item[], { rounding, discounts }: Terms): Group {
  const due = sumOf(documents);
  const paid = sumOf(payments);
  const difference = due - paid;
  const made = (reason: string, explanation: string): Group => group(reason, documents, payments, explanation);
  const fees = payments.reduce((sum, { fee = 0 }) => sum + Math.abs(fee), 0);
  const several =
    documents.length > 1 ? `${documents.length} documents in one payment` : `${payments.length} installments`;
  if (difference === 0)
    return documents.length === 1 && payments.length === 1
      ? made('exact', '')
      : made(documents.length > 1 ? 'collective payment' : 'installments', `${several}, equal in sum`);
  if (fees > 0 && difference === fees) return made('fee', `the provider kept a fee of ${money(fees)}`);
  const discount = discounts.find(
    (percent) => Math.abs(difference - (due * percent) / 100) <= Math.max(1, documents.length),
  );
  if (discount !== undefined) return made('cash discount', `${discount} % of ${money(due)}`);
  if (Math.abs(difference) <= rounding)
    return made('rounding', `${money(Math.abs(difference))} too ${difference > 0 ? 'little' : 'much'}`);
  if (difference > 0) return made('partly paid', `${money(difference)} of ${money(due)} are open`);
  const isTwice = payments.length > 1 && payments.every(({ cents }) => cents === due);
  return isTwice
    ? made('paid twice', `${payments.length} payments of ${money(due)}; ${money(-difference)} to give back`)
    : made('overpaid', `${money(-difference)} too much`);
}
