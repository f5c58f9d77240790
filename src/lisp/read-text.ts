// Reads strings, regex sources and characters.
import { exception } from './exception.ts';

interface ParsedText {
  readonly value: string;
  /** One past the last character. */
  readonly end: number;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '"': '"', '\\': '\\' };
const NAMED: Readonly<Record<string, string>> = {
  newline: '\n',
  space: ' ',
  tab: '\t',
  return: '\r',
  backspace: '\b',
  formfeed: '\f',
};
const CHARACTER = /\\(u[0-9a-fA-F]{4}(?![\w])|o[0-7]{1,3}(?![\w])|[a-zA-Z][\w-]*|[\s\S])/uy;

/** Starts at the opening quote. A regex keeps its backslashes. */
export function readString(text: string, start: number, regex = false): ParsedText {
  let value = '';
  let at = start + 1;
  for (;;) {
    const next = text[at];
    if (next === undefined)
      throw exception('LISP_PARSE', 'the source ends inside a string that begins here', 'add a closing "', start);
    if (next === '"') return { value, end: at + 1 };
    if (next !== '\\') {
      const stop = plainEnd(text, at);
      value += text.slice(at, stop);
      at = stop;
    } else if (regex) {
      value += text.slice(at, at + 2);
      at += 2;
    } else {
      const escaped = readEscape(text, at);
      value += escaped.value;
      at = escaped.end;
    }
  }
}

function plainEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"' && text[at] !== '\\') at += 1;
  return at;
}

function readEscape(text: string, at: number): ParsedText {
  const letter = text[at + 1] ?? '';
  const plain = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
  if (plain !== undefined) return { value: plain, end: at + 2 };
  const unicode = /^u([0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6));
  if (unicode !== null) return { value: String.fromCharCode(Number.parseInt(unicode[1] ?? '', 16)), end: at + 6 };
  const octal = /^[0-3]?[0-7]{1,2}/.exec(text.slice(at + 1, at + 4));
  if (octal !== null)
    return { value: String.fromCharCode(Number.parseInt(octal[0], 8)), end: at + 1 + octal[0].length };
  throw exception(
    'LISP_PARSE',
    `"\\${letter}" is not an escape in a string`,
    'use one of \\n \\t \\r \\b \\f \\" \\\\ \\uXXXX',
    at,
  );
}

/** `\a`, `\newline`, `\u03bb`: a string with one character. */
export function readCharacter(text: string, start: number): ParsedText {
  CHARACTER.lastIndex = start;
  const word = CHARACTER.exec(text)?.[1];
  if (word === undefined) throw exception('LISP_PARSE', 'a character is missing after "\\"', undefined, start);
  const end = start + 1 + word.length;
  if ([...word].length === 1) return { value: word, end };
  if (Object.hasOwn(NAMED, word)) return { value: NAMED[word] ?? '', end };
  if (/^u[0-9a-fA-F]{4}$/.test(word)) return { value: String.fromCharCode(Number.parseInt(word.slice(1), 16)), end };
  if (/^o[0-7]{1,3}$/.test(word)) return { value: String.fromCharCode(Number.parseInt(word.slice(1), 8)), end };
  throw exception(
    'LISP_PARSE',
    `"\\${word}" is not a character`,
    'write \\a, \\newline, \\space, \\tab, \\return or \\u03bb',
    start,
  );
}
