// How alike two words of argument names are, from 0 to 1: the same stem, words for the same thing, or a short form.
import { isFunctionWord, stemOf, wordsOfName } from '../match/terms.ts';
import { equivalence } from './equivalents.ts';

const EQUIVALENT = 0.85;
const SHORT = 0.8;

/** Both are stems. */
export function likeness(one: string, other: string): number {
  if (one === other) return 1;
  if (equivalence(one, other) === 1) return EQUIVALENT;
  return isShortFor(one, other) || isShortFor(other, one) ? SHORT : 0;
}

/** Shorter beginnings are words of their own. */
const SHORTEST = 4;
const LONGER_BY = 3;

/** `config` of `configuration`, not `work` of `workflow`. */
function isShortFor(short: string, long: string): boolean {
  const isLonger = long.length >= short.length + LONGER_BY;
  return short.length >= SHORTEST && isLonger && long.startsWith(short) && !COMPOUNDED.test(long.slice(short.length));
}

const COMPOUNDED =
  /^(?:flow|space|book|base|line|name|list|out|card|board|point|stamp|sheet|back|place|load|group|room|page|folder)/;

/** The stems of the words of a name or a text that name things. */
export function contentOf(text: string): readonly string[] {
  return wordsOfName(text)
    .filter((word) => !isFunctionWord(word))
    .map(stemOf);
}
