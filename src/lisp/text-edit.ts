// Splits and replaces text, by string or by regex.

import { typeError } from './exception.ts';
import { each1 } from './invoke.ts';
import { allocate, burn, grow } from './machine.ts';
import { findAll, pattern, type RegexMatch, shown, text } from './match.ts';
import { textOf } from './text-of.ts';
import { indexIn, placesIn } from './text-search.ts';
import { aKind, isRegex, type Machine, type Regex, type Value } from './value.ts';

/** Splits as Java does: drops empty parts at the end unless `limit` is negative; at most `limit` parts if it is positive. */
export function split(m: Machine, input: string, re: Regex, limit: number): string[] {
  if (input === '') return [''];
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of findAll(m, re, input)) {
    if (limit > 0 && parts.length === limit - 1) break;
    if (end === 0 || (start === end && start === input.length)) continue;
    parts.push(input.slice(from, start));
    from = end;
  }
  parts.push(input.slice(from));
  if (limit === 0) while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  allocate(m, input.length >> 3);
  return parts;
}

/** Fuel to start a replacement by regex. */
const REGEX = 8;

/** The result of `string/replace` or `replace-first`: replaces a string, character or regex by text or by a function's result. */
export function replaceText(m: Machine, input: string, match: Value, replacement: Value, all: boolean): string {
  if (typeof match === 'string') return replacePlain(m, input, match, text(replacement, 'string/replace'), all);
  if (!isRegex(match)) throw typeError(`string/replace needs a string or a regex to look for, not ${aKind(match)}`);
  burn(m, REGEX);
  const found = findAll(m, match, input, all ? Number.POSITIVE_INFINITY : 1);
  const by =
    typeof replacement === 'string'
      ? expander(m, replacement)
      : (each: RegexMatch) => textOf(m, each1(m, replacement, shown(each)));
  const parts: string[] = [];
  let from = 0;
  let size = 0;
  for (const each of found) {
    const part = by(each);
    size += part.length + each.start - from;
    grow(m, size > m.limits.text ? size : part.length);
    parts.push(input.slice(from, each.start), part);
    from = each.end;
  }
  parts.push(input.slice(from));
  grow(m, size + input.length - from);
  return parts.join('');
}

function replacePlain(m: Machine, input: string, match: string, replacement: string, all: boolean): string {
  const places = all ? placesIn(m, input, match) : [indexIn(m, input, match)];
  if (places.length === 0 || places[0] === -1) return input;
  grow(m, input.length + places.length * Math.max(0, replacement.length - match.length));
  burn(m, places.length);
  const parts: string[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(input.slice(from, place));
    from = place + match.length;
  }
  parts.push(input.slice(from));
  return parts.join(replacement);
}

/** Part of a replacement: literal text, or the number of a group. */
type Piece = string | number;

/** Expands `$1` and `\$` as Java does. Parses the replacement once for all matches. */
function expander(m: Machine, replacement: string): (found: RegexMatch) => string {
  burn(m, replacement.length >> 2);
  if (!/[$\\]/.test(replacement)) return () => replacement;
  const pieces = [...replacement.matchAll(/\\([\s\S]?)|\$(\d?)|[^$\\]+/g)].map(([plain, escaped, digit]): Piece => {
    if (escaped !== undefined) return escaped;
    return digit === undefined ? plain : digit === '' ? Number.NaN : Number(digit);
  });
  return ({ groups }) => {
    burn(m, pieces.length);
    const parts = pieces.map((piece) => (typeof piece === 'string' ? piece : groupNumbered(groups, piece)));
    grow(
      m,
      parts.reduce((sum, part) => sum + part.length, 0),
    );
    return parts.join('');
  };
}

function groupNumbered(groups: RegexMatch['groups'], index: number): string {
  const group = groups[index];
  if (group !== undefined) return group ?? '';
  throw typeError('a "$" in a replacement needs the number of a group in the regex', 'write \\\\$ for a dollar sign');
}

export function splitPattern(m: Machine, value: Value): Regex {
  if (typeof value === 'string')
    throw typeError('string/split needs a regex, not a string', 'write #"," for the pattern, or (re-pattern s)');
  return pattern(m, value, 'string/split');
}

export function joinText(m: Machine, separator: string, items: readonly Value[]): string {
  const parts: string[] = [];
  let size = 0;
  for (const item of items) {
    const part = textOf(m, item);
    size += part.length + separator.length;
    burn(m, 1);
    if (size > m.limits.text) grow(m, size);
    parts.push(part);
  }
  grow(m, size);
  return parts.join(separator);
}
