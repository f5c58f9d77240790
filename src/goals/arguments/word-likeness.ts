// The similarity of two words of argument names, from 0 to 1: same stem, synonyms, or a short form.
import { isFunctionWord, stemOf, wordsOfName } from '../match/terms.ts';
import { equivalence } from './synonyms.ts';

const EQUIVALENT = 0.85;
const SHORT = 0.8;

/** Takes stems. */
export function likeness(one: string, other: string): number {
  if (one === other) return 1;
  if (equivalence(one, other) === 1) return EQUIVALENT;
  return isShortFor(one, other) || isShortFor(other, one) ? SHORT : 0;
}

/** A shorter prefix is a word of its own. */
const SHORTEST = 4;
const LONGER_BY = 3;

/** True for `config` and `configuration`, false for `work` and `workflow`. */
function isShortFor(short: string, long: string): boolean {
  const isLonger = long.length >= short.length + LONGER_BY;
  return short.length >= SHORTEST && isLonger && long.startsWith(short) && !COMPOUNDED.test(long.slice(short.length));
}

const COMPOUNDED =
  /^(?:flow|space|book|base|line|name|list|out|card|board|point|stamp|sheet|back|place|load|group|room|page|folder)/;

/** The stems of a name or text without function words. */
export function contentOf(text: string): readonly string[] {
  return wordsOfName(text)
    .filter((word) => !isFunctionWord(word))
    .map(stemOf);
}
