// Splitting and replacing text, by string or by regex.
import { each1 } from './invoke.ts';
import { allocate, burn, grow } from './machine.ts';
import { type Found, findAll, pattern, shown, text } from './match.ts';
import { textOf } from './text-of.ts';
import { typeTrouble } from './trouble.ts';
import { aKind, isRegex, type Machine, type Regex, type Value } from './value.ts';

/** As Java's split: no empty parts at the end unless `limit` is negative; at most `limit` parts when it is positive. */
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

/** What `string/replace` (or `replace-first`) gives for a string, a character or a regex, replaced by text or by a function. */
export function replaceText(m: Machine, input: string, match: Value, replacement: Value, all: boolean): string {
  if (typeof match === 'string') return replacePlain(m, input, match, text(replacement, 'string/replace'), all);
  if (!isRegex(match)) throw typeTrouble(`string/replace needs a string or a regex to look for, not ${aKind(match)}`);
  const found = findAll(m, match, input, all ? Number.POSITIVE_INFINITY : 1);
  const by =
    typeof replacement === 'string'
      ? (each: Found) => expand(replacement, each)
      : (each: Found) => textOf(m, each1(m, replacement, shown(each)));
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
  burn(m, input.length >> 4);
  if (!all) {
    const at = input.indexOf(match);
    if (at < 0) return input;
    grow(m, input.length + replacement.length);
    return input.slice(0, at) + replacement + input.slice(at + match.length);
  }
  const count = match === '' ? input.length + 1 : input.split(match).length - 1;
  grow(m, input.length + count * Math.max(0, replacement.length - match.length));
  burn(m, count);
  return input.replaceAll(match, () => replacement);
}

/** `$1` is a group, `\$` a dollar, as in Java. */
function expand(replacement: string, found: Found): string {
  if (!/[$\\]/.test(replacement)) return replacement;
  return replacement.replace(/\\([\s\S]?)|\$(\d?)/g, (_, escaped: string | undefined, digit: string | undefined) => {
    if (escaped !== undefined) return escaped;
    const group = digit === undefined || digit === '' ? undefined : found.groups[Number(digit)];
    if (group === undefined)
      throw typeTrouble(
        '"$" in a replacement needs the number of a group of the regex',
        'write \\\\$ for a dollar sign',
      );
    return group ?? '';
  });
}

export function splitPattern(m: Machine, value: Value): Regex {
  if (typeof value === 'string')
    throw typeTrouble('string/split needs a regex, not a string', 'write #"," for the pattern, or (re-pattern s)');
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
