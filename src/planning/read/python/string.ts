// Reads Python's texts: quotes, triple quotes, prefixes, escapes and f-strings.
import type { Cursor } from './cursor.ts';
import { PythonFault } from './fault.ts';
import type { NamedValue, PathStep } from './syntax.ts';

const OPENING = /([bBfFrRuU]{0,2})("""|'''|"|')/y;
/** Plain characters of a text. */
const PLAIN = /[^\\"'\n{}]+/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\u000b',
};
const CODE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/y;
const OCTAL = /\\([0-7]{1,3})/y;
const PART = String.raw`\.[\p{L}_][\p{L}\p{N}_]*|\[\d{1,9}\]|\["[^"\\\n{}]*"\]|\['[^'\\\n{}]*'\]`;
const FILLED = new RegExp(String.raw`\{[ ]{0,9}([\p{L}_][\p{L}\p{N}_]*)((?:${PART})*)[ ]{0,9}\}`, 'uy');

export type TextParts = readonly (string | NamedValue)[];

export function isTextAhead({ text, at, end }: Cursor): boolean {
  OPENING.lastIndex = at;
  return at < end && OPENING.test(text);
}

/** Reads one text; adjacent parts that are plain are one part. */
export function readTextParts(c: Cursor): TextParts {
  const from = c.at;
  OPENING.lastIndex = from;
  const [opening = '', prefix = '', quote = ''] = OPENING.exec(c.text) ?? [];
  const style = prefix.toLowerCase();
  c.at += opening.length;
  if (!['', 'r', 'u', 'f', 'fr', 'rf'].includes(style)) {
    const hint = 'write the text in quotes without a prefix';
    throw new PythonFault(`a text with the prefix "${prefix}" is not part of a plan`, { from, to: c.at }, hint);
  }
  const isRaw = style.includes('r');
  const isFilled = style.includes('f');
  const parts: (string | NamedValue)[] = [];
  let plain = '';
  while (!c.text.startsWith(quote, c.at)) {
    const each = c.text[c.at];
    if (c.at >= c.end || each === undefined || (each === '\n' && quote.length === 1)) throw unclosed(from, c, quote);
    if (each === '\\') plain += isRaw ? taken(c, 2) : readEscape(c);
    else if (isFilled && (each === '{' || each === '}')) {
      if (c.text[c.at + 1] === each) {
        plain += taken(c, 2).slice(1);
      } else {
        parts.push(plain, readFilled(c));
        plain = '';
      }
    } else {
      PLAIN.lastIndex = c.at;
      plain += taken(c, PLAIN.exec(c.text)?.[0].length ?? 1);
    }
  }
  c.at += quote.length;
  if (c.at > c.end) throw unclosed(from, c, quote);
  return [...parts, plain].filter((part) => part !== '');
}

function taken(c: Cursor, count: number): string {
  const from = c.at;
  c.at += count;
  return c.text.slice(from, c.at);
}

function unclosed(from: number, c: Cursor, quote: string): PythonFault {
  const what = quote.length === 1 ? 'the text is not closed on its line' : 'the text is not closed';
  const hint = quote.length === 1 ? `add ${quote}; a text of several lines stands in """` : `add ${quote}`;
  const fault = new PythonFault(what, { from, to: from + quote.length }, hint);
  fault.resume = Math.min(c.at, c.end);
  return fault;
}

/** Python keeps the backslash of an unknown escape. */
function readEscape(c: Cursor): string {
  const from = c.at;
  const letter = c.text[from + 1] ?? '';
  if (c.text.startsWith('\r\n', from + 1)) {
    c.at += 3;
    return '';
  }
  CODE.lastIndex = from;
  OCTAL.lastIndex = from;
  const [whole, two, four, eight] = CODE.exec(c.text) ?? [];
  if (whole !== undefined) {
    c.at += whole.length;
    const code = Number.parseInt(two ?? four ?? eight ?? '', 16);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    throw new PythonFault('there is no such character', { from, to: c.at }, 'write the character itself');
  }
  const octal = OCTAL.exec(c.text);
  if (octal !== null) {
    c.at += octal[0].length;
    return String.fromCodePoint(Number.parseInt(octal[1] ?? '', 8));
  }
  c.at += 2;
  if ('xuUN'.includes(letter) && letter !== '') {
    throw new PythonFault('this escape is not complete', { from, to: c.at }, 'write the character itself, or \\u00e9');
  }
  return ESCAPES[letter] ?? `\\${letter}`;
}

/** Reads `{hotel["price"]}` of an f-string. */
function readFilled(c: Cursor): NamedValue {
  const from = c.at;
  FILLED.lastIndex = from;
  const [whole, name = '', path = ''] = FILLED.exec(c.text) ?? [];
  if (whole === undefined) {
    throw new PythonFault(
      'braces in an f-string hold a name here, and nothing else',
      { from, to: from + 1 },
      'write {name}, {name.field} or {name["field"]}; write {{ and }} for braces as text',
    );
  }
  c.at += whole.length;
  const pathFrom = from + whole.indexOf(name) + name.length;
  return { kind: 'name', name, path: partsOf(path, pathFrom), from, to: c.at };
}

function partsOf(path: string, from: number): readonly PathStep[] {
  return [...path.matchAll(/\.([^.[]+)|\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]/g)].map((found) => {
    const [whole, field, index, double, single] = found;
    const at = { from: from + found.index, to: from + found.index + whole.length };
    return { ...at, key: index === undefined ? (field ?? double ?? single ?? '') : Number(index) };
  });
}
