// Regex matching that pays for each character while it is read.
import { MatcherInput } from 're2js';
import { typeError } from './exception.ts';
import { burn, handle } from './machine.ts';
import { regex } from './regex.ts';
import { indexIn } from './text-search.ts';
import { aKind, isRegex, type Machine, type Regex, type Value, vector } from './value.ts';

/** A match: the whole text, and each group or nil. */
export interface RegexMatch {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | null)[];
}

/** A regex; strings are compiled. */
export function pattern(m: Machine, value: Value, who: string): Regex {
  if (typeof value === 'string') return regex(m, value);
  if (isRegex(value)) return value;
  throw typeError(`${who} needs a regex, not ${aKind(value)}`);
}

export function text(value: Value, who: string): string {
  if (typeof value === 'string') return value;
  throw typeError(`${who} needs a string, not ${aKind(value)}`);
}

/** Fuel to start a search. */
const SEARCH = 8;
/** Characters to pay for at once. */
const STRETCH = 32;

/**
 * The text as the regex engine sees it. Nobody can tell in advance how far a search reads: it may stop at the next
 * character, or scan the rest and come back. So each stretch of text is paid for when it is reached.
 */
class WatchedText extends String {
  readonly #m: Machine;
  readonly #text: string;
  readonly #price: number;
  #paid = 0;

  constructor(m: Machine, text: string, instructions: number) {
    super(text);
    this.#m = m;
    this.#text = text;
    this.#price = instructions / 8;
  }

  /** Starts the next search; text that is read again is paid for again. */
  begin(at: number): void {
    burn(this.#m, SEARCH);
    this.#paid = at;
  }

  override charCodeAt(at: number): number {
    if (at >= this.#paid) this.#pay(at);
    return this.#text.charCodeAt(at);
  }

  override indexOf(part: string, from?: number): number {
    return indexIn(this.#m, this.#text, part, from);
  }

  #pay(at: number): void {
    const to = Math.min(at + STRETCH, this.#text.length + 1);
    burn(this.#m, Math.ceil((to - this.#paid) * this.#price));
    this.#paid = to;
  }
}

type Matcher = ReturnType<Regex['engine']['matcher']>;

function watched(m: Machine, re: Regex, input: string): { readonly text: WatchedText; readonly matcher: Matcher } {
  const text = new WatchedText(m, input, re.engine.programSize());
  return { text, matcher: re.engine.matcher(MatcherInput.utf16(text)) };
}

/** Finds the groups by a second search from the start of the match. */
function groupsOf(text: WatchedText, matcher: Matcher): RegexMatch {
  const count = matcher.groupCount();
  if (count > 0) text.begin(matcher.start());
  const groups = Array.from({ length: count + 1 }, (_, i) => matcher.group(i));
  return { start: matcher.start(), end: matcher.end(), groups };
}

/** All non-overlapping matches, at most `limit`. */
export function findAll(m: Machine, re: Regex, input: string, limit = Number.POSITIVE_INFINITY): RegexMatch[] {
  const { text, matcher } = watched(m, re, input);
  const found: RegexMatch[] = [];
  let from = 0;
  for (;;) {
    text.begin(from);
    if (found.length >= limit || !matcher.find()) return found;
    const each = groupsOf(text, matcher);
    found.push(each);
    from = each.end;
    handle(m, each.groups.length * 2);
  }
}

/** The match of the whole text, if any. */
export function matchWhole(m: Machine, re: Regex, input: string): RegexMatch | undefined {
  const { text, matcher } = watched(m, re, input);
  text.begin(0);
  return matcher.matches() ? groupsOf(text, matcher) : undefined;
}

/** The match as Clojure shows it: text, or a vector of text and groups when there are groups. */
export function shown(found: RegexMatch): Value {
  const [whole = null] = found.groups;
  return found.groups.length === 1 ? whole : vector([...found.groups]);
}
