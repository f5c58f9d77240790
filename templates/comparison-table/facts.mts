// Reads facts from Markdown, HTML and plain text. Each fact knows its line and the words that stand there.

export interface Fact {
  readonly name: string;
  readonly value: string;
  /** From 1. */
  readonly line: number;
  /** The text of that line without markup. */
  readonly quote: string;
}

export interface Source {
  readonly subject: string;
  readonly facts: readonly Fact[];
  /** The visible text of each line. */
  readonly lines: readonly string[];
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  euro: '€',
  ndash: '–',
  mdash: '—',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  eacute: 'é',
  deg: '°',
  times: '×',
};

/** The text that a reader sees, with every line at its number. */
export function visible(text: string, path: string): readonly string[] {
  const isHtml = /\.x?html?$/i.test(path) || /^\s*<(!doctype|html)/i.test(text);
  const hidden = (part: string): string => part.replace(/[^\n]/g, '');
  const bare = isHtml
    ? text
        .replace(/<!--[\s\S]*?-->|<(script|style|nav)\b[\s\S]*?<\/\1>/gi, hidden)
        // Cells and items of one line stay apart.
        .replace(/<\/(th|dt|td)>\s*<(td|dd)[^>]*>/gi, ' | ')
        .replace(/<br\s*\/?>|<\/(li|p|div|tr)>/gi, ' ')
        .replace(/<[^>]*>/g, hidden)
        .replace(/&(#\d+|\w+);/g, (whole, name: string) =>
          name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (ENTITIES[name] ?? whole),
        )
    : /\.(md|markdown|mdx)$/i.test(path)
      ? text
          // An example in code states nothing about the subject; badges and layout are not text.
          .replace(/^ {0,3}(```|~~~)[^\n]*\n[\s\S]*?^ {0,3}\1.*$/gm, hidden)
          .replace(/\[?!\[[^\]\n]*\](\([^)\n]*\)|\[[^\]\n]*\])\]?(\([^)\n]*\)|\[[^\]\n]*\])?/g, '')
          .replace(/<\/?(p|div|a|img|br|su[pb]|h[1-6]|picture|source|center|span|b|i|em|strong)\b[^>\n]*>/gi, '')
      : text;
  return bare
    .split(/\r?\n/)
    .map((line) =>
      (isHtml ? line : line.replace(/^\s{0,3}(#{1,6}|[-*+]|\d+\.|>)\s+/, '').replace(/\*\*|__|`/g, ''))
        .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
        .trim(),
    );
}

const NAME = /^[\p{L}][\p{L}\d /()-]{1,40}$/u;

export function readSource(text: string, path: string): Source {
  const lines = visible(text, path);
  const facts: Fact[] = [];
  const add = (name: string, value: string, line: number): void => {
    const clean = { name: name.trim().replace(/:$/, ''), value: value.trim() };
    if (NAME.test(clean.name) && clean.value !== '' && clean.value.length <= 120 && clean.name.split(' ').length <= 5)
      facts.push({ ...clean, line, quote: (lines[line - 1] ?? '').slice(0, 240) });
  };
  lines.forEach((line, at) => {
    const cells = line
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((cell) => cell.trim());
    const isRow = /\|/.test(line) && cells.length === 2 && !/^[-: |]+$/.test(line);
    if (isRow) add(cells[0] ?? '', cells[1] ?? '', at + 1);
    const [, name = '', value = ''] = /^([^:=\t]{2,42}?)\s*(?::|=|\t+|\s{3,}|\.{3,}| – )\s*(\S.*)$/.exec(line) ?? [];
    if (!isRow && name !== '' && !/^https?$/i.test(name)) add(name, value, at + 1);
  });
  // Definition lists with the term and its description on two lines.
  const raw = text.split(/\r?\n/);
  raw.forEach((line, at) => {
    const next = raw[at + 1] ?? '';
    if (/<(dt|th)\b/i.test(line) && !/<(dd|td)\b/i.test(line) && /<(dd|td)\b/i.test(next))
      add(lines[at] ?? '', lines[at + 1] ?? '', at + 2);
  });
  const title =
    /^(?:title|name):\s*(.+)$/im.exec(text.startsWith('---') ? text.slice(0, 600) : '')?.[1] ??
    /<h1[^>]*>([\s\S]*?)<\/h1>/i.exec(text)?.[1]?.replace(/<[^>]*>/g, '') ??
    lines.find((line, at) => line !== '' && raw[at]?.startsWith('# ')) ??
    lines.find((line) => line !== '' && !/^[-=*]+$/.test(line));
  return { subject: (title ?? path).replace(/\s+/g, ' ').trim().slice(0, 80), facts, lines };
}

export interface Quantity {
  readonly number: number;
  readonly unit: string;
}

/** Units with what they are multiples of. */
const UNITS: Readonly<Record<string, readonly [string, number]>> = {
  g: ['kg', 0.001],
  kg: ['kg', 1],
  lb: ['kg', 0.4536],
  lbs: ['kg', 0.4536],
  t: ['kg', 1000],
  m: ['km', 0.001],
  km: ['km', 1],
  mi: ['km', 1.609],
  miles: ['km', 1.609],
  cm: ['cm', 1],
  mm: ['cm', 0.1],
  wh: ['Wh', 1],
  kwh: ['Wh', 1000],
  w: ['W', 1],
  kw: ['W', 1000],
  nm: ['Nm', 1],
  v: ['V', 1],
  '€': ['€', 1],
  eur: ['€', 1],
  euro: ['€', 1],
  euros: ['€', 1],
  $: ['$', 1],
  usd: ['$', 1],
  year: ['years', 1],
  years: ['years', 1],
  month: ['years', 1 / 12],
  months: ['years', 1 / 12],
  h: ['h', 1],
  hours: ['h', 1],
  min: ['h', 1 / 60],
  ms: ['ms', 1],
  s: ['ms', 1000],
  mb: ['MB', 1],
  gb: ['MB', 1024],
  '%': ['%', 1],
  people: ['people', 1],
  participants: ['people', 1],
  patients: ['people', 1],
};

const QUANTITY =
  /(?:(€|\$)\s?)?(\d{1,3}(?:[ \u00a0]\d{3})+(?!\d)|\d[\d.,]*\d|\d)\s?(kwh|wh|kw|kg|lbs?|km|mi(?:les)?|cm|mm|nm|months?|years?|hours|min|ms|mb|gb|eur(?:os?)?|usd|people|participants|patients|[gtmwvhs€$%](?![\p{L}\d]))?/giu;

/** The quantities of a text in base units: 12.500 g is 12.5 kg. */
export function quantitiesIn(text: string): readonly Quantity[] {
  return [...text.matchAll(QUANTITY)].flatMap(([, before, digits = '', after]) => {
    const [unit, factor] = UNITS[(before ?? after ?? '').toLowerCase()] ?? ['', 1];
    const number = numberOf(digits);
    return number === undefined ? [] : [{ number: Math.round(number * factor * 100) / 100, unit }];
  });
}

/** Reads 1,299.00, 1.299,00, 1 299, 1299 and 1.299 (thousands, because three digits follow). */
function numberOf(digits: string): number | undefined {
  const [, whole = '', fraction = ''] =
    /^(\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,](\d{1,2}))?$/.exec(digits.replace(/\s/g, '')) ?? [];
  return whole === '' ? undefined : Number(`${whole.replace(/[.,]/g, '')}.${fraction || '0'}`);
}
