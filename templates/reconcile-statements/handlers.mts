// The capabilities of the template: finding out how a file is written, reading it, and matching.
import { basename } from 'node:path/posix';
import { type CallContext, CapabilityError, defineCapability } from 'reconverge';
import { centsOf, type Dialect, dateOf, dialectOf, type Record } from './dialect.mts';
import { type Item, match } from './matching.mts';

const MOST_BYTES = 32_000_000;

async function tableIn(ctx: CallContext, path: string): ReturnType<typeof tableOf> {
  return tableOf(path, await ctx.files.read(path, MOST_BYTES));
}

async function tableOf(path: string, bytes: Buffer): Promise<ReturnType<typeof dialectOf>> {
  try {
    return dialectOf(bytes);
  } catch (error) {
    throw new CapabilityError(
      'STATEMENT_UNREADABLE',
      `${path} is no statement: ${error instanceof Error ? error.message : error}`,
      { retry: 'never' },
    );
  }
}

export const sniff = defineCapability({
  name: 'statement.sniff',
  description:
    'Find out how a CSV statement is written: encoding, separator, header, date and amount columns, documents or payments.',
  input: '{path :string}',
  output:
    '{path :string, kind :string, encoding :string, delimiter :string, header_line :int, columns [:string], date :string, day_first :bool, amount :string, fee :string?, document :string?, rows :int, sample [:string]}',
  effects: ['read'],
  async run({ path }, ctx) {
    const { dialect, rows } = await tableIn(ctx, path);
    const { kind, encoding, delimiter, header, columns, dayFirst } = dialect;
    const named = (at: number): string => columns[at] ?? '';
    const amount =
      dialect.amount >= 0 ? named(dialect.amount) : `${named(dialect.incoming)} / ${named(dialect.outgoing)}`;
    const optional = {
      ...(dialect.fee < 0 ? {} : { fee: named(dialect.fee) }),
      ...(dialect.document < 0 ? {} : { document: named(dialect.document) }),
    };
    const sample = rows.slice(0, 2).map(({ fields }) => fields.join(' | '));
    return {
      path,
      kind,
      encoding,
      delimiter,
      header_line: header,
      columns: [...columns],
      date: named(dialect.date),
      day_first: dayFirst,
      amount,
      ...optional,
      rows: rows.length,
      sample,
    };
  },
});

function itemOf(file: string, dialect: Dialect, { line, fields }: Record, fallback: string): Item | string {
  if (fields.length !== dialect.columns.length)
    return `${fields.length} fields where the header has ${dialect.columns.length}`;
  const field = (at: number): string => fields[at] ?? '';
  const date = dateOf(field(dialect.date), dialect.dayFirst);
  if (date === undefined) return `"${field(dialect.date)}" is no date`;
  const incoming = dialect.amount >= 0 ? field(dialect.amount) : field(dialect.incoming);
  const outgoing = dialect.amount >= 0 ? '' : field(dialect.outgoing);
  const cents = incoming !== '' ? centsOf(incoming) : outgoing !== '' ? -(centsOf(outgoing) ?? Number.NaN) : undefined;
  if (cents === undefined || Number.isNaN(cents)) return `"${incoming || outgoing}" is no amount`;
  const text = dialect.text
    .map(field)
    .filter((each) => each !== '')
    .join(' ');
  const fee = dialect.fee < 0 ? undefined : centsOf(field(dialect.fee));
  const document = dialect.kind === 'documents' ? field(dialect.document) : undefined;
  const currency = dialect.currency < 0 ? fallback : field(dialect.currency) || fallback;
  return {
    at: `${file}:${line}`,
    date,
    cents,
    currency,
    text,
    ...(document === undefined ? {} : { document }),
    ...(fee === undefined ? {} : { fee }),
  };
}

async function itemsIn(ctx: CallContext, path: string, currency: string) {
  const { dialect, rows } = await tableIn(ctx, path);
  const read = rows.map((record) => ({ line: record.line, item: itemOf(basename(path), dialect, record, currency) }));
  return {
    kind: dialect.kind,
    items: read.flatMap(({ item }) => (typeof item === 'string' ? [] : [item])),
    skipped: read.flatMap(({ line, item }) =>
      typeof item === 'string' ? [{ at: `${basename(path)}:${line}`, reason: item }] : [],
    ),
  };
}

export const count = defineCapability({
  name: 'statement.count',
  description: 'Read a statement, add up its rows by currency in cents, and list the lines that are no rows.',
  input: '{path :string, currency :string}',
  output:
    '{path :string, kind :string, rows :int, sums [{currency :string, rows :int, cents :int}], from :string, to :string, skipped [{at :string, reason :string}]}',
  effects: ['read'],
  async run({ path, currency }, ctx) {
    const { kind, items, skipped } = await itemsIn(ctx, path, currency);
    const sums = [...Map.groupBy(items, (item) => item.currency)].map(([name, each]) => ({
      currency: name,
      rows: each.length,
      cents: each.reduce((sum, { cents }) => sum + cents, 0),
    }));
    const dates = items.map(({ date }) => date).sort();
    return { path, kind, rows: items.length, sums, from: dates[0] ?? '', to: dates.at(-1) ?? '', skipped };
  },
});

export const matchAll = defineCapability({
  name: 'statement.match',
  description: 'Match the documents with the payments of one currency, and give each difference a reason.',
  input:
    '{documents :list, payments :list, currency :string, default_currency :string, rounding_cents :int, discounts :list}',
  output:
    '{currency :string, documents_cents :int, payments_cents :int, groups [{reason :string, difference :int, explanation :string, documents [{at :string, document :string, cents :int, text :string}], payments [{at :string, date :string, cents :int, text :string}]}]}',
  effects: ['read'],
  async run({ documents, payments, currency, default_currency, rounding_cents, discounts }, ctx) {
    const itemsOf = async (paths: readonly unknown[]): Promise<readonly Item[]> => {
      const read = await Promise.all(paths.map((path) => itemsIn(ctx, String(path), default_currency)));
      return read.flatMap(({ items }) => items).filter((item) => item.currency === currency);
    };
    const [due, paid] = [await itemsOf(documents), await itemsOf(payments)];
    const groups = match(due, paid, { rounding: rounding_cents, discounts: discounts.map(Number) });
    return {
      currency,
      documents_cents: due.reduce((sum, { cents }) => sum + cents, 0),
      payments_cents: paid.reduce((sum, { cents }) => sum + cents, 0),
      groups: groups.map(({ reason, difference, explanation, ...each }) => ({
        reason,
        difference,
        explanation,
        documents: each.documents.map(({ at, document = '', cents, text }) => ({ at, document, cents, text })),
        payments: each.payments.map(({ at, date, cents, text }) => ({ at, date, cents, text })),
      })),
    };
  },
});
