// Matching: each search pays for the text it may have to read.

import { burn, handle } from './machine.ts';
import { regex } from './regex.ts';
import { typeTrouble } from './trouble.ts';
import { aKind, isRegex, type Machine, type Regex, type Value, vector } from './value.ts';

/** A match: the whole, and each group or nil. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | null)[];
}

/** A regex, or a string read as one. */
export function pattern(m: Machine, value: Value, who: string): Regex {
  if (typeof value === 'string') return regex(m, value);
  if (isRegex(value)) return value;
  throw typeTrouble(`${who} needs a regex, not ${aKind(value)}`);
}

export function text(value: Value, who: string): string {
  if (typeof value === 'string') return value;
  throw typeTrouble(`${who} needs a string, not ${aKind(value)}`);
}

function pay(m: Machine, characters: number, size: number): void {
  burn(m, 1 + Math.ceil((characters * size) / 8));
}

function groupsOf(matcher: ReturnType<Regex['engine']['matcher']>): Found {
  const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i));
  return { start: matcher.start(), end: matcher.end(), groups };
}

/** All matches, one after the other, at most `limit`. */
export function findAll(m: Machine, re: Regex, input: string, limit = Number.POSITIVE_INFINITY): Found[] {
  const matcher = re.engine.matcher(input);
  const size = matcher.programSize();
  const found: Found[] = [];
  pay(m, input.length, size);
  while (found.length < limit && matcher.find()) {
    const each = groupsOf(matcher);
    found.push(each);
    handle(m, each.groups.length + 1);
    if (found.length < limit) pay(m, input.length - each.end, size);
  }
  return found;
}

/** The match of the whole text, if there is one. */
export function matchWhole(m: Machine, re: Regex, input: string): Found | undefined {
  const matcher = re.engine.matcher(input);
  pay(m, input.length, matcher.programSize());
  return matcher.matches() ? groupsOf(matcher) : undefined;
}

/** As Clojure shows a match: the text, or a vector of the text and its groups when there are groups. */
export function shown(found: Found): Value {
  const [whole = null] = found.groups;
  return found.groups.length === 1 ? whole : vector([...found.groups]);
}
