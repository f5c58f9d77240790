// Finds out how a CSV file is written: encoding, separator, header line, and what each column holds.

export interface Dialect {
  readonly encoding: 'utf-8' | 'utf-16le' | 'windows-1252';
  readonly delimiter: string;
  /** The line of the header, from 1. */
  readonly header: number;
  readonly columns: readonly string[];
  readonly kind: 'documents' | 'payments';
  /** Columns by what they hold, as positions; `text` joins several. */
  readonly date: number;
  readonly dayFirst: boolean;
  readonly amount: number;
  /** For files with one column for each direction. */
  readonly incoming: number;
  readonly outgoing: number;
  readonly fee: number;
  readonly currency: number;
  readonly document: number;
  readonly text: readonly number[];
}

export interface Record {
  readonly line: number;
  readonly fields: readonly string[];
}

export function decode(bytes: Buffer): { readonly text: string; readonly encoding: Dialect['encoding'] } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { text: bytes.subarray(2).toString('utf16le'), encoding: 'utf-16le' };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}

/** Splits a text into records; quoted fields may hold the delimiter, quotes and line breaks. */
export function recordsOf(text: string, delimiter: string): readonly Record[] {
  const records: Record[] = [];
  let fields: string[] = [];
  let field = '';
  let isQuoted = false;
  let line = 1;
  let begun = 1;
  const endField = (): void => {
    fields.push(field.trim());
    field = '';
  };
  const endRecord = (): void => {
    endField();
    if (fields.some((each) => each !== '')) records.push({ line: begun, fields });
    fields = [];
    begun = line;
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\n') line += 1;
    if (isQuoted && char === '"' && text[at + 1] === '"') {
      field += '"';
      at += 1;
    } else if (char === '"' && (isQuoted || field.trim() === '')) isQuoted = !isQuoted;
    else if (!isQuoted && char === delimiter) endField();
    else if (!isQuoted && char === '\n') endRecord();
    else if (char !== '\r' || isQuoted) field += char;
  }
  if (field !== '' || fields.length > 0) endRecord();
  return records;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Reads a date in the usual spellings; undefined for anything else. */
export function dateOf(text: string, dayFirst: boolean): string | undefined {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(text) ?? /^(20\d\d)(\d\d)(\d\d)$/.exec(text);
  if (iso !== null) return day(iso[1], iso[2], iso[3]);
  const other = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?: .*)?$/.exec(text);
  if (other !== null) {
    const year = other[4]?.length === 2 ? `20${other[4]}` : other[4];
    return dayFirst || other[2] === '.' ? day(year, other[3], other[1]) : day(year, other[1], other[3]);
  }
  const words = /^(\d{1,2})[ -]([A-Za-z]{3})[a-z]*\.?[ -](\d{4})$/.exec(text);
  return words === null
    ? undefined
    : day(words[3], String(MONTHS.indexOf((words[2] ?? '').toLowerCase()) + 1), words[1]);
}

function day(year = '', month = '', date = ''): string | undefined {
  const value = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)));
  return value.getUTCMonth() + 1 === Number(month) && value.getUTCDate() === Number(date)
    ? value.toISOString().slice(0, 10)
    : undefined;
}

/** Reads an amount as whole cents: 1.234,50  1,234.50  1'234.50  -12,00 €  (12.00)  12,00-; undefined for anything else. */
export function centsOf(text: string): number | undefined {
  const bare = text.replace(/[\s\u00a0'’€$£]|EUR|CHF|USD|GBP/g, '');
  const isNegative = /^-|-$|^\(.*\)$|^−/.test(bare);
  const digits = bare.replace(/^[-+−(]+|[-)+]+$/g, '');
  const [, whole = '', fraction = ''] = /^(\d{1,3}(?:[.,]\d{3})+|\d*)(?:[.,](\d{1,2}))?$/.exec(digits) ?? [];
  if (whole === '' && fraction === '') return undefined;
  const cents = Number(whole.replace(/[.,]/g, '') || '0') * 100 + Number(fraction.padEnd(2, '0'));
  return isNegative ? -cents : cents;
}

/** @throws Error for a file that is no table */
export function dialectOf(bytes: Buffer): {
  readonly dialect: Dialect;
  readonly rows: readonly Record[];
  readonly preamble: number;
} {
  const { text, encoding } = decode(bytes);
  const [best] = [';', '\t', ',', '|']
    .map((delimiter) => ({ delimiter, records: recordsOf(text, delimiter) }))
    .map((each) => ({ ...each, width: commonWidth(each.records) }))
    .toSorted((a, b) => score(b) - score(a));
  if (best === undefined || best.width < 2) throw new Error(bytes.length === 0 ? 'it is empty' : 'it has no columns');
  const at = best.records.findIndex(
    ({ fields }) =>
      fields.length === best.width &&
      fields.every((field) => dateOf(field, true) === undefined && centsOf(field) === undefined) &&
      fields.filter((field) => field !== '').length >= best.width - 1,
  );
  const header = best.records[at];
  if (header === undefined) throw new Error('it has no header');
  const rows = best.records.slice(at + 1);
  if (rows.length === 0) throw new Error('it has a header, but no row');
  const roles = rolesOf(header.fields, rows);
  const columns = `its columns are ${header.fields.join(', ')}`;
  if (roles.date < 0) throw new Error(`it has no column of dates; ${columns}`);
  if (Math.max(roles.amount, roles.incoming, roles.outgoing) < 0)
    throw new Error(`it has no column of amounts; ${columns}`);
  return {
    dialect: {
      encoding,
      delimiter: best.delimiter,
      header: header.line,
      columns: header.fields,
      ...roles,
    },
    rows,
    preamble: at,
  };
}

const commonWidth = (records: readonly Record[]): number => {
  const counted = [...Map.groupBy(records, ({ fields }) => fields.length)].toSorted(
    (a, b) => b[1].length - a[1].length,
  );
  return counted[0]?.[0] ?? 0;
};
const score = ({ records, width }: { readonly records: readonly Record[]; readonly width: number }): number =>
  width < 2
    ? 0
    : (records.filter(({ fields }) => fields.length === width).length / records.length) * Math.min(width, 4);

type Roles = Omit<Dialect, 'encoding' | 'delimiter' | 'header' | 'columns'>;

/** By the values of a column first, and by its name where several columns hold the same kind. */
function rolesOf(names: readonly string[], rows: readonly Record[]): Roles {
  const whole = rows.filter(({ fields }) => fields.length === names.length);
  const column = (at: number): readonly string[] =>
    whole.map(({ fields }) => fields[at] ?? '').filter((value) => value !== '');
  const positions = names.map((_, at) => at);
  const share = (at: number, test: (value: string) => boolean): number => {
    const values = column(at);
    return values.length === 0 ? 0 : values.filter(test).length / values.length;
  };
  const named = (at: number, pattern: RegExp): boolean => pattern.test(names[at] ?? '');
  const dates = positions.filter(
    (at) => share(at, (value) => dateOf(value, true) !== undefined || dateOf(value, false) !== undefined) > 0.75,
  );
  const amounts = positions.filter(
    (at) =>
      !dates.includes(at) &&
      share(at, (value) => centsOf(value) !== undefined) > 0.75 &&
      !named(at, /saldo|balance|solde|\bno\b|nr|number|iban|konto|account|id$/i),
  );
  const byName = (from: readonly number[], pattern: RegExp): number => from.find((at) => named(at, pattern)) ?? -1;
  const date =
    [/buchung|issued|payout|paid|booking/i, /date|datum|fecha|day|tag/i]
      .map((pattern) => byName(dates, pattern))
      .find((at) => at >= 0) ??
    dates[0] ??
    -1;
  const fee = byName(amounts, /fee|gebühr|provision|commission/i);
  const incoming = byName(amounts, /^(in|credit|haben|eingang|einnahmen?|received|paid in)\b/i);
  const outgoing = byName(amounts, /^(out|debit|soll|ausgang|ausgaben?|spent|paid out)\b/i);
  const rest = amounts.filter((at) => ![fee, incoming, outgoing].includes(at));
  const amount =
    [/net\b|netto|auszahl/i, /amount|betrag|total|sum|montant|brutto|gross/i]
      .map((pattern) => byName(rest, pattern))
      .find((at) => at >= 0) ??
    rest[0] ??
    -1;
  const currency = positions.find((at) => share(at, (value) => /^[A-Z]{3}$/.test(value)) > 0.9) ?? -1;
  // An invoice that is listed twice does not make its list a statement, even when the list is short.
  const isUnique = (at: number): boolean => {
    const { length } = column(at);
    return length > 0 && new Set(column(at)).size >= Math.max(length / 2, length - Math.max(2, length * 0.05));
  };
  const isNumbered = (at: number): boolean =>
    share(at, (value) => /^(?:[A-Za-z]{0,6}[-/ ]?\d[\d-/ ]*\d|[A-Za-z]{1,6}[-/ ]?\d)$/.test(value)) > 0.95;
  const document =
    positions.find(
      (at) =>
        named(at, /invoice|rechnung|document|beleg|factu|\b(no|nr)\b\.?|number/i) &&
        !dates.includes(at) &&
        isUnique(at) &&
        isNumbered(at),
    ) ?? -1;
  const dayFirst = date < 0 || isDayFirst(column(date));
  const isPayments =
    fee >= 0 || incoming >= 0 || positions.some((at) => named(at, /saldo|balance|verwendungszweck|purpose/i));
  const used = [date, amount, incoming, outgoing, fee, currency, ...dates, ...amounts];
  const text = positions.filter((at) => !used.includes(at) && !named(at, /saldo|balance/i));
  return {
    kind: document >= 0 && !isPayments ? 'documents' : 'payments',
    date,
    dayFirst,
    amount,
    incoming,
    outgoing,
    fee,
    currency,
    document,
    text,
  };
}

/** 13/07 can only be a day first, 07/13 only a month first; if neither occurs, the order in which the rows make sense. */
function isDayFirst(values: readonly string[]): boolean {
  const parts = values.map((value) => /^(\d{1,2})[/-](\d{1,2})[/-]/.exec(value));
  if (parts.some((part) => Number(part?.[1]) > 12)) return true;
  if (parts.some((part) => Number(part?.[2]) > 12)) return false;
  const inOrder = (dayFirst: boolean): number =>
    values.filter(
      (value, at) => at > 0 && (dateOf(value, dayFirst) ?? '') >= (dateOf(values[at - 1] ?? '', dayFirst) ?? ''),
    ).length;
  return inOrder(true) >= inOrder(false);
}
