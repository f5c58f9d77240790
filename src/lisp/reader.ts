// Reads text into forms: brackets, quotes, comments, and dispatch with `#`.
import { counted } from '../base/counted.ts';
import { exception } from './exception.ts';
import type { BracketForm, Form } from './form.ts';
import { type Limits, raising } from './limits.ts';
import { readCharacter, readString } from './read-text.ts';

interface Cursor {
  readonly text: string;
  readonly nesting: number;
  at: number;
  depth: number;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** The analyzer's own names begin with this character, which no program can write. */
const HOLE_MARK = '\u0000';
const NUMBER_START = /^[+-]?\d/;
const TOKEN = /[^\s,()[\]{}"`;@^~\\]+/y;
const BLANK = /(?:[\s,]+|;[^\n]*|#![^\n]*)+/y;

/** All forms of a program. @throws LispException with the offset of the error */
export function read(text: string, limits: Limits): Form[] {
  if (text.length > limits.source) {
    throw exception(
      'LISP_LIMIT',
      `the source has more than ${counted(limits.source, 'character')}`,
      `split it, or ${raising('source')}`,
      0,
    );
  }
  const cursor: Cursor = { text, nesting: limits.nesting, at: 0, depth: 0 };
  return readUntil(cursor, undefined, 0);
}

/** The end of the form at an offset, in text that was read successfully before. */
export function formEnd(text: string, at: number, limits: Limits): number {
  const cursor: Cursor = { text, nesting: limits.nesting, at, depth: 0 };
  readForm(cursor);
  return cursor.at;
}

function readUntil(c: Cursor, closing: string | undefined, opened: number): Form[] {
  const forms: Form[] = [];
  for (;;) {
    skipBlank(c);
    const next = c.text[c.at];
    if (next === undefined) {
      if (closing === undefined) return forms;
      throw exception(
        'LISP_PARSE',
        `the source ends before "${closing}" closes the bracket that opens here`,
        `add "${closing}"`,
        opened,
      );
    }
    if (next === closing) {
      c.at += 1;
      return forms;
    }
    if (next === ')' || next === ']' || next === '}') {
      const wanted = closing === undefined ? 'nothing is open here' : `"${closing}" was expected`;
      const hint = closing === undefined ? `remove "${next}"` : `write "${closing}"`;
      throw exception('LISP_PARSE', `"${next}" does not fit: ${wanted}`, hint, c.at);
    }
    const form = readForm(c);
    if (form !== undefined) forms.push(form);
  }
}

function skipBlank(c: Cursor): void {
  BLANK.lastIndex = c.at;
  const match = BLANK.exec(c.text);
  if (match !== null) c.at = BLANK.lastIndex;
}

/** Undefined for `#_ form`, which is skipped. */
function readForm(c: Cursor): Form | undefined {
  const start = c.at;
  const next = c.text[c.at] ?? '';
  switch (next) {
    case '(':
      return nested(c, 'list', start);
    case '[':
      return nested(c, 'vector', start);
    case '{':
      return nested(c, 'map', start);
    case '"': {
      const { value, end } = readString(c.text, start);
      c.at = end;
      return { kind: 'scalar', value, start, end };
    }
    case '\\': {
      const { value, end } = readCharacter(c.text, start);
      c.at = end;
      return { kind: 'scalar', value, start, end };
    }
    case "'": {
      c.at += 1;
      const quoted = required(c, "what is quoted by '");
      return {
        kind: 'list',
        items: [{ kind: 'symbol', name: 'quote', start, end: start + 1 }, quoted],
        start,
        end: c.at,
      };
    }
    case '^': {
      c.at += 1;
      required(c, 'metadata after ^');
      return required(c, 'the form that the metadata is about');
    }
    case '#':
      return dispatch(c, start);
    case '@':
      throw exception(
        'LISP_PARSE',
        '"@" (deref) is not part of the language',
        'leave the @ out: names hold plain values',
        start,
      );
    case '`':
    case '~':
      throw exception(
        'LISP_PARSE',
        `"${next}" belongs to macros, which the language does not have`,
        'write a function',
        start,
      );
    default:
      return atom(c, start);
  }
}

function required(c: Cursor, what: string): Form {
  const start = c.at;
  for (;;) {
    skipBlank(c);
    const next = c.text[c.at];
    if (next === undefined || next === ')' || next === ']' || next === '}') {
      throw exception('LISP_PARSE', `${what} is missing`, undefined, start);
    }
    deeper(c);
    const form = readForm(c);
    c.depth -= 1;
    if (form !== undefined) return form;
  }
}

function deeper(c: Cursor): void {
  c.depth += 1;
  if (c.depth > c.nesting) {
    throw exception(
      'LISP_LIMIT',
      `the source nests deeper than ${counted(c.nesting, 'bracket')}`,
      'name the parts with let or defn',
      c.at,
    );
  }
}

function nested(c: Cursor, kind: BracketForm['kind'], start: number): BracketForm {
  deeper(c);
  const closing = CLOSING[c.text[c.at] ?? ''] ?? ')';
  c.at += 1;
  const items = readUntil(c, closing, start);
  c.depth -= 1;
  if (kind === 'map' && items.length % 2 === 1) {
    throw exception(
      'LISP_PARSE',
      'a map needs a value for each key',
      'write an even number of forms between { and }',
      start,
    );
  }
  return { kind, items, start, end: c.at };
}

function dispatch(c: Cursor, start: number): Form | undefined {
  const next = c.text[start + 1];
  c.at += 1;
  switch (next) {
    case '(':
      return nested(c, 'function', start);
    case '{':
      return nested(c, 'set', start);
    case '_':
      c.at += 1;
      required(c, 'the form that #_ leaves out');
      return undefined;
    case '"': {
      const { value, end } = readString(c.text, start + 1, true);
      c.at = end;
      return { kind: 'regex', source: value, start, end };
    }
    case '#': {
      c.at += 1;
      const word = token(c);
      const value = SYMBOLIC_NUMBERS.get(word);
      if (value === undefined)
        throw exception('LISP_PARSE', `"##${word}" is not a number`, 'use ##Inf, ##-Inf or ##NaN', start);
      return { kind: 'scalar', value, start, end: c.at };
    }
    default:
      throw exception(
        'LISP_PARSE',
        `"#${next ?? ''}" is not part of the language`,
        'use #{set}, #(function %), #"regex", #_ignored or ##Inf',
        start,
      );
  }
}

function token(c: Cursor): string {
  TOKEN.lastIndex = c.at;
  const match = TOKEN.exec(c.text);
  if (match === null) return '';
  c.at = TOKEN.lastIndex;
  return match[0];
}

function atom(c: Cursor, start: number): Form {
  const word = token(c);
  const end = c.at;
  if (NUMBER_START.test(word)) return { kind: 'scalar', value: readNumber(word, start), start, end };
  if (word === 'nil') return { kind: 'scalar', value: null, start, end };
  if (word === 'true' || word === 'false') return { kind: 'scalar', value: word === 'true', start, end };
  if (word.startsWith(':')) {
    const name = word.slice(word.startsWith('::') ? 2 : 1);
    if (name === '' || name.startsWith('/') || name.endsWith('/')) {
      throw exception('LISP_PARSE', `"${word}" is not a keyword`, 'write a colon and a name, such as :price', start);
    }
    return { kind: 'keyword', name, start, end };
  }
  if (word === '' || word.includes(HOLE_MARK)) {
    throw exception('LISP_PARSE', `"${c.text[start] ?? ''}" is not allowed here`, undefined, start);
  }
  return { kind: 'symbol', name: word, start, end };
}

const SYMBOLIC_NUMBERS: ReadonlyMap<string, number> = new Map([
  ['Inf', Number.POSITIVE_INFINITY],
  ['-Inf', Number.NEGATIVE_INFINITY],
  ['NaN', Number.NaN],
]);

const WHOLE = /^[+-]?(?:0|[1-9]\d*)N?$/;
const DECIMAL = /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?M?$/;
const HEXADECIMAL = /^([+-]?)0[xX]([0-9a-fA-F]+)N?$/;
const OCTAL = /^([+-]?)0([0-7]+)N?$/;
const RADIX = /^([+-]?)(\d{1,2})[rR]([0-9a-zA-Z]+)$/;
const RATIO = /^([+-]?\d+)\/(\d+)$/;

/** @throws LispException at the offset when the word is no number, or an integer beyond 2^53 */
function readNumber(word: string, at: number): number {
  if (WHOLE.test(word)) return whole(Number(word.replace('N', '')), word, at);
  const radix = RADIX.exec(word);
  if (radix !== null) return whole(signed(radix[1], inRadix(radix[3] ?? '', Number(radix[2]), at)), word, at);
  const hexadecimal = HEXADECIMAL.exec(word);
  if (hexadecimal !== null) return whole(signed(hexadecimal[1], Number.parseInt(hexadecimal[2] ?? '', 16)), word, at);
  const octal = OCTAL.exec(word);
  if (octal !== null) return whole(signed(octal[1], Number.parseInt(octal[2] ?? '', 8)), word, at);
  const ratio = RATIO.exec(word);
  if (ratio !== null && Number(ratio[2]) !== 0) return Number(ratio[1]) / Number(ratio[2]);
  if (DECIMAL.test(word) && !/^[+-]?0\d/.test(word)) return Number(word.replace('M', ''));
  throw exception('LISP_PARSE', `"${word}" is not a number`, 'begin a name with a letter', at);
}

function signed(sign: string | undefined, amount: number): number {
  return sign === '-' ? -amount : amount;
}

function inRadix(digits: string, radix: number, at: number): number {
  const valid = radix >= 2 && radix <= 36 && [...digits].every((digit) => Number.parseInt(digit, 36) < radix);
  if (!valid) throw exception('LISP_PARSE', `"${digits}" is not a number in base ${radix}`, undefined, at);
  return Number.parseInt(digits, radix);
}

function whole(amount: number, word: string, at: number): number {
  if (Number.isSafeInteger(amount)) return amount === 0 ? 0 : amount;
  throw exception(
    'LISP_ARITHMETIC',
    `${word} is too large for an exact whole number (2^53)`,
    `write ${word}.0 for an approximate number`,
    at,
  );
}
