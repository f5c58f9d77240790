// How alike a word of a goal and a noun of a name are.
import { areSynonyms } from './lexicon/nouns.ts';
import { likeness } from './likeness.ts';
import type { NameNoun } from './tool-name.ts';
import type { Vocabulary } from './vocabulary.ts';

const ALIAS = 0.85;

/** What another tool is named for is no other word for this. */
export function named(word: string, noun: NameNoun, vocabulary: Vocabulary): number {
  if (vocabulary.isNoun(word) && areSynonyms(word, noun.word)) return word === noun.word ? 1 : 0;
  return Math.max(
    likeness(word, noun.word),
    ALIAS * Math.max(0, ...[...noun.aliases].map((alias) => likeness(word, alias))),
  );
}
