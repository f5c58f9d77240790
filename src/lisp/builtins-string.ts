// Builtins for strings and regular expressions. Positions and lengths count code points.
import { number, whole } from './arithmetic.ts';
import { type Builtin, builtin, type Shapes } from './builtin.ts';
import { typeError } from './exception.ts';
import { format } from './format.ts';
import { each1, getIn } from './invoke.ts';
import { burn, grow, handle, scan } from './machine.ts';
import { findAll, matchWhole, pattern, shown, text } from './match.ts';
import { regex } from './regex.ts';
import { characters, seq } from './seq.ts';
import { joinText, replaceText, split, splitPattern } from './text-edit.ts';
import { ednOf, textOf } from './text-of.ts';
import { indexIn, lastIndexIn } from './text-search.ts';
import { aKind, isMap, isRegex, type Machine, type Value, vector } from './value.ts';

/** The text of any value, as in Clojure's string functions; nil is an error. */
function shownText(m: Machine, value: Value, who: string): string {
  if (typeof value === 'string') return value;
  if (value === null) throw typeError(`${who} needs a string, not nil`);
  return textOf(m, value);
}

/**
 * With `cased`, accepts any value and edits its text, as Clojure does; otherwise only strings.
 * @param price one unit of fuel covers 2 to this power characters
 */
function edited(who: string, edit: (text: string) => string, { cased = false, price = 4 } = {}): Shapes {
  return {
    one: (m, a) => {
      const input = cased ? shownText(m, a, who) : text(a, who);
      burn(m, input.length >> price);
      const result = edit(input);
      grow(m, result.length);
      return result;
    },
  };
}

function str(m: Machine, args: readonly Value[]): string {
  return joinText(m, '', args);
}

function concat2(m: Machine, a: Value, b: Value): string {
  const result = textOf(m, a) + textOf(m, b);
  grow(m, result.length);
  return result;
}

const ASCII = /^[\0-\ud7ff\ue000-\uffff]*$/;

/** A substring by code points. */
function part(m: Machine, value: Value, start: Value, end: Value | undefined): string {
  const input = text(value, 'subs');
  const from = whole(start, 'subs');
  burn(m, input.length >> 6);
  const plain = ASCII.test(input);
  const points = plain ? undefined : characters(m, input);
  const length = points === undefined ? input.length : points.length;
  const to = end === undefined ? length : whole(end, 'subs');
  if (from < 0 || to > length || from > to)
    throw typeError(`subs from ${from} to ${to} is outside a string of ${length}`);
  grow(m, to - from);
  return points === undefined ? input.slice(from, to) : points.slice(from, to).join('');
}

function toPoints(m: Machine, input: string, offset: number): number {
  burn(m, input.length >> 6);
  return ASCII.test(input) ? offset : characters(m, input.slice(0, offset)).length;
}

function toOffset(m: Machine, input: string, point: number): number {
  burn(m, input.length >> 6);
  return ASCII.test(input) ? point : characters(m, input).slice(0, Math.max(0, point)).join('').length;
}

function indexOf(m: Machine, value: Value, searched: Value, from: Value): Value {
  const input = shownText(m, value, 'string/index-of');
  const begin = toOffset(m, input, whole(from, 'string/index-of'));
  const at = indexIn(m, input, text(searched, 'string/index-of'), begin);
  return at < 0 ? null : toPoints(m, input, at);
}

function lastIndexOf(m: Machine, value: Value, searched: Value, from: Value): Value {
  const input = shownText(m, value, 'string/last-index-of');
  const last = number(from, 'string/last-index-of');
  if (last < 0) return null;
  const begin = toOffset(m, input, Math.trunc(Math.min(last, input.length)));
  const at = lastIndexIn(m, input, text(searched, 'string/last-index-of'), begin);
  return at < 0 ? null : toPoints(m, input, at);
}

function asks(who: string, test: (m: Machine, text: string, part: string) => boolean): Shapes {
  return {
    two: (m, a, b) => {
      const part = text(b, who);
      scan(m, part);
      return test(m, shownText(m, a, who), part);
    },
  };
}

function splitBy(m: Machine, input: Value, separator: Value, limit: number): Value {
  return vector(split(m, text(input, 'string/split'), splitPattern(m, separator), limit));
}

function escaped(m: Machine, input: Value, table: Value): string {
  return joinText(
    m,
    '',
    characters(m, text(input, 'string/escape')).map(
      (each) => (isMap(table) ? getIn(m, table, each) : each1(m, table, each)) ?? each,
    ),
  );
}

function withoutLineEnd(input: string): string {
  let end = input.length;
  while (end > 0 && (input[end - 1] === '\n' || input[end - 1] === '\r')) end -= 1;
  return input.slice(0, end);
}

function wordwise(input: string): string {
  const head = String.fromCodePoint(input.codePointAt(0) ?? 0);
  return input === '' ? '' : head.toUpperCase() + input.slice(head.length).toLowerCase();
}

function extract(m: Machine, re: Value, input: Value, group: Value): Value {
  const [found] = findAll(m, pattern(m, re, 'extract'), text(input, 'extract'), 1);
  return found?.groups[whole(group, 'extract')] ?? null;
}

function extractInt(m: Machine, re: Value, input: Value, group: Value, otherwise: Value): Value {
  const found = extract(m, re, input, group);
  return (found === null ? null : parseLong(m, found)) ?? otherwise;
}

function parseLong(m: Machine, value: Value): Value {
  const input = text(value, 'parse-long');
  burn(m, 1 + (input.length >> 4));
  if (!/^[+-]?\d+$/.test(input)) return null;
  const amount = Number(input);
  return Number.isSafeInteger(amount) ? amount + 0 : null;
}

const DOUBLE = /^\s*([+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[dDfF]?|NaN|Infinity))\s*$/;

function parseDouble(m: Machine, value: Value): Value {
  const input = text(value, 'parse-double');
  burn(m, 2 + (input.length >> 3));
  const match = DOUBLE.exec(input);
  return match === null ? null : Number((match[1] ?? '').replace(/[dDfF]$/, ''));
}

function parseBoolean(value: Value): Value {
  const input = text(value, 'parse-boolean');
  return input === 'true' ? true : input === 'false' ? false : null;
}

const UPPER = edited('string/upper-case', (input) => input.toUpperCase(), { cased: true });
const LOWER = edited('string/lower-case', (input) => input.toLowerCase(), { cased: true });
const PARSE_LONG: Shapes = { one: parseLong };

export const stringBuiltins: readonly Builtin[] = [
  builtin(
    'str',
    { zero: () => '', one: (m, a) => textOf(m, a), two: concat2, rest: str },
    'k + n + c/16',
    'Joins the texts of values; nil is empty',
    '(str "a" 1 :b nil)',
    '"a1:b"',
  ),
  builtin(
    'pr-str',
    {
      rest: (m, args) =>
        joinText(
          m,
          ' ',
          args.map((each) => ednOf(m, each)),
        ),
    },
    'k + 2n + c/8',
    'Writes values as EDN',
    '(pr-str "a" [1])',
    '"\\"a\\" [1]"',
  ),
  builtin(
    'format',
    { rest: (m, [f = null, ...args]) => format(m, text(f, 'format'), args), min: 1 },
    '16k + c/8',
    'Fills a pattern with values, as Java does',
    '(format "%s has %.1f %%" "a" 2.55)',
    '"a has 2.6 %"',
  ),
  builtin(
    'subs',
    { two: (m, a, start) => part(m, a, start, undefined), three: part },
    '1 + c/64',
    'Returns the part of a string from a start to before an end',
    '(subs "hello" 1 3)',
    '"el"',
  ),
  builtin(
    'string/join',
    {
      one: (m, a) => joinText(m, '', seq(m, a, 'string/join')),
      two: (m, gap, a) => joinText(m, textOf(m, gap), seq(m, a, 'string/join')),
    },
    '1 + n + c/64',
    'Joins elements to one text, with a separator between them',
    '(string/join ", " [1 2])',
    '"1, 2"',
  ),
  builtin(
    'string/split',
    { two: (m, a, re) => splitBy(m, a, re, 0), three: (m, a, re, n) => splitBy(m, a, re, whole(n, 'string/split')) },
    '16 + rc/4',
    'Splits a text at the matches of a regex, into at most a given number of parts',
    '(string/split "a,b" #",")',
    '["a" "b"]',
  ),
  builtin(
    'string/split-lines',
    { one: (m, a) => vector(split(m, text(a, 'string/split-lines'), regex(m, '\\r?\\n'), 0)) },
    '16 + 8c',
    'Splits a text into lines',
    '(string/split-lines "a\\nb")',
    '["a" "b"]',
  ),
  builtin(
    'string/trim',
    edited('string/trim', (input) => input.trim()),
    '1 + c/16',
    'Removes white space at both ends',
    '(string/trim " a ")',
    '"a"',
  ),
  builtin(
    'string/triml',
    edited('string/triml', (input) => input.trimStart()),
    '1 + c/16',
    'Removes white space at the start',
    '(string/triml " a ")',
    '"a "',
  ),
  builtin(
    'string/trimr',
    edited('string/trimr', (input) => input.trimEnd()),
    '1 + c/16',
    'Removes white space at the end',
    '(string/trimr " a ")',
    '" a"',
  ),
  builtin(
    'string/trim-newline',
    edited('string/trim-newline', withoutLineEnd),
    '1 + c/16',
    'Removes line breaks at the end',
    '(string/trim-newline "a\\n")',
    '"a"',
  ),
  builtin('string/upper-case', UPPER, '1 + c/16', 'Converts to upper case', '(string/upper-case "ab")', '"AB"'),
  builtin('string/lower-case', LOWER, '1 + c/16', 'Converts to lower case', '(string/lower-case "AB")', '"ab"'),
  builtin('upcase', UPPER, '1 + c/16', 'Converts to upper case', '(upcase "ab")', '"AB"'),
  builtin('downcase', LOWER, '1 + c/16', 'Converts to lower case', '(downcase "AB")', '"ab"'),
  builtin(
    'string/capitalize',
    edited('string/capitalize', wordwise, { cased: true, price: 2 }),
    '1 + c/4',
    'Converts the first letter to upper case and the others to lower case',
    '(string/capitalize "hELLO")',
    '"Hello"',
  ),
  builtin(
    'string/reverse',
    edited('string/reverse', (input) => [...input].reverse().join(''), { price: 1 }),
    '3 + c/2',
    'Reverses the characters',
    '(string/reverse "abc")',
    '"cba"',
  ),
  builtin(
    'string/blank?',
    { one: (m, a) => (a === null ? true : paid(m, text(a, 'string/blank?')).trim() === '') },
    '1 + c/8',
    'Tests whether a text is empty or only white space',
    '(string/blank? " ")',
    'true',
  ),
  builtin(
    'string/includes?',
    asks('string/includes?', (m, a, b) => indexIn(m, a, b) >= 0),
    '1 + c/8',
    'Tests whether a text contains another',
    '(string/includes? "abc" "b")',
    'true',
  ),
  builtin(
    'string/starts-with?',
    asks('string/starts-with?', (_, a, b) => a.startsWith(b)),
    '1 + c/64',
    'Tests whether a text starts with another',
    '(string/starts-with? "abc" "a")',
    'true',
  ),
  builtin(
    'string/ends-with?',
    asks('string/ends-with?', (_, a, b) => a.endsWith(b)),
    '1 + c/64',
    'Tests whether a text ends with another',
    '(string/ends-with? "abc" "c")',
    'true',
  ),
  builtin(
    'string/index-of',
    { two: (m, a, b) => indexOf(m, a, b, 0), three: indexOf },
    '1 + c/8',
    'Returns the position of the first occurrence of a text, or nil',
    '(string/index-of "abc" "c")',
    '2',
  ),
  builtin(
    'string/last-index-of',
    { two: (m, a, b) => lastIndexOf(m, a, b, Number.POSITIVE_INFINITY), three: lastIndexOf },
    '1 + c/8',
    'Returns the position of the last occurrence of a text, or nil',
    '(string/last-index-of "abca" "a")',
    '3',
  ),
  builtin(
    'string/replace',
    { three: (m, a, b, c) => replaceText(m, shownText(m, a, 'string/replace'), b, c, true) },
    '9 + c + rc',
    'Replaces all matches by a text ($1 is a group) or by the result of a function',
    '(string/replace "a1b2" #"\\d" "#")',
    '"a#b#"',
  ),
  builtin(
    'string/replace-first',
    { three: (m, a, b, c) => replaceText(m, shownText(m, a, 'string/replace-first'), b, c, false) },
    '9 + c/8 + rc/8',
    'Replaces the first match',
    '(string/replace-first "aa" "a" "b")',
    '"ba"',
  ),
  builtin(
    'string/escape',
    { two: escaped },
    '1 + 2c',
    'Replaces characters that are keys of a map by their values',
    '(string/escape "a<b" {"<" "&lt;"})',
    '"a&lt;b"',
  ),
  builtin(
    'string/re-quote-replacement',
    edited('string/re-quote-replacement', (input) => input.replace(/[\\$]/g, '\\$&'), { price: 1 }),
    '1 + c/2',
    'Escapes $ and \\ in a replacement',
    '(string/re-quote-replacement "$1")',
    '"\\\\$1"',
  ),
  builtin(
    're-pattern',
    { one: (m, a) => (isRegex(a) ? a : regex(m, text(a, 're-pattern'))) },
    '1 + 8r',
    'Makes a regex from a text; RE2 syntax, linear time',
    '(re-find (re-pattern "b+") "abb")',
    '"bb"',
  ),
  builtin(
    're-find',
    { two: (m, re, a) => found(findAll(m, regexOnly(re, 're-find'), text(a, 're-find'), 1)[0]) },
    '16 + rc/8',
    'Returns the first match, or nil; a vector when the regex has groups',
    '(re-find #"(\\w)=(\\d)" "a=1")',
    '["a=1" "a" "1"]',
  ),
  builtin(
    're-matches',
    { two: (m, re, a) => found(matchWhole(m, regexOnly(re, 're-matches'), text(a, 're-matches'))) },
    '16 + rc/8',
    'Returns the match if the regex matches the whole text, else nil',
    '(re-matches #"\\d+" "12a")',
    'nil',
  ),
  builtin(
    're-seq',
    { two: (m, re, a) => someOrNil(findAll(m, regexOnly(re, 're-seq'), text(a, 're-seq')).map(shown)) },
    '16 + rc',
    'Returns all matches, or nil when there are none',
    '(re-seq #"\\d" "a1b2")',
    '["1" "2"]',
  ),
  builtin(
    're-split',
    { two: (m, re, a) => vector(split(m, text(a, 're-split'), pattern(m, re, 're-split'), 0)) },
    '16 + rc/4',
    'Splits a text by a regex; string/split with the regex first',
    '(re-split #"," "a,b")',
    '["a" "b"]',
  ),
  builtin(
    'extract',
    { two: (m, re, a) => extract(m, re, a, 1), three: extract },
    '16 + 8r + rc/4',
    'Returns a group of the first match, or nil',
    '(extract "ID:(\\\\d+)" "ID:42")',
    '"42"',
  ),
  builtin(
    'extract-int',
    {
      two: (m, re, a) => extractInt(m, re, a, 1, null),
      three: (m, re, a, group) => extractInt(m, re, a, group, null),
      four: extractInt,
    },
    '16 + 8r + rc/4',
    'Returns a group of the first match as a whole number, or nil (or a default)',
    '(extract-int "age=(\\\\d+)" "age=25")',
    '25',
  ),
  builtin(
    'parse-long',
    PARSE_LONG,
    '2 + c/16',
    'Reads a whole number from a text, or returns nil',
    '(parse-long "42")',
    '42',
  ),
  builtin(
    'parse-int',
    PARSE_LONG,
    '2 + c/16',
    'Reads a whole number from a text, or returns nil',
    '(parse-int "4x")',
    'nil',
  ),
  builtin(
    'parse-double',
    { one: parseDouble },
    '3 + c/8',
    'Reads a number from a text, or returns nil',
    '(parse-double "1.5")',
    '1.5',
  ),
  builtin(
    'parse-boolean',
    { one: (_, a) => parseBoolean(a) },
    '1',
    'Reads true or false from a text, or returns nil',
    '(parse-boolean "true")',
    'true',
  ),
];

function paid(m: Machine, input: string): string {
  handle(m, input.length >> 4);
  return input;
}

function found(match: Parameters<typeof shown>[0] | undefined): Value {
  return match === undefined ? null : shown(match);
}

function someOrNil(items: Value[]): Value {
  return items.length === 0 ? null : vector(items);
}

function regexOnly(value: Value, who: string) {
  if (isRegex(value)) return value;
  throw typeError(`${who} needs a regex first, not ${aKind(value)}`, 'write #"pattern", or (re-pattern s)');
}
