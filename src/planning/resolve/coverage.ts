// How much of what a clause speaks of a capability is about, and how much of its name was asked for.
import { isMade, isOrder, ORDERED } from './alignment.ts';
import type { Clause } from './goal.ts';
import type { Term } from './head.ts';
import { areSynonyms } from './lexicon/nouns.ts';
import { actNouns, classOf, groupsOf } from './lexicon/verbs.ts';
import { likeness } from './likeness.ts';
import { named } from './named.ts';
import type { Profile } from './profile.ts';
import type { NameNoun } from './tool-name.ts';
import type { Vocabulary } from './vocabulary.ts';

interface Coverage {
  readonly share: number;
  readonly head: number;
  readonly words: readonly string[];
}

export function coverage(clause: Clause, terms: readonly Term[], profile: Profile, vocabulary: Vocabulary): Coverage {
  const named = clause.nameless && clause.head === undefined ? [{ term: undefined, weight: 1, cover: NAMELESS }] : [];
  // What takes an order by name tells in its contract, not in its name, what the order may be about.
  const ordered = isOrder(clause, profile) || isMade(clause, profile) ? ORDERED : 0;
  const weighed = [
    ...named,
    ...terms.map((term) => {
      const cover = coverOf(term.word, profile, vocabulary);
      return { term, weight: weightOf(term, clause, vocabulary), cover: cover > 0 ? Math.max(cover, ordered) : 0 };
    }),
  ];
  const whole = sum(weighed.map(({ weight }) => weight));
  const got = sum(weighed.map(({ weight, cover }) => weight * cover));
  return {
    share: whole === 0 ? 0.5 : got / whole,
    head:
      clause.head === undefined
        ? 0.5
        : Math.max(coverOf(clause.head.word, profile, vocabulary, true), ofVerb(clause, profile)),
    words: [...new Set(weighed.flatMap(({ cover, term }) => (cover >= 0.5 && term !== undefined ? [term.word] : [])))],
  };
}

/** `draft an email` is about a draft as well. */
function ofVerb({ verbs }: Clause, { nouns }: Profile): number {
  return nouns.some((noun) => verbs.some(({ word }) => word === noun.word)) ? TOLD : 0;
}

/** What a mere name or number says of what kind of thing it is. */
const NAMELESS = 0.75;

/** What no tool has heard of is a name or an adjective, unless the goal is about it. */
function weightOf(term: Term, { head }: Clause, vocabulary: Vocabulary): number {
  if (term.word === head?.word) return 1;
  if (term.role === 'topic') return 0.06;
  const known = Math.max(vocabulary.named(term.word), vocabulary.said(term.word) * 0.8);
  const full =
    (term.role === 'object' ? 0.7 : term.role === 'context' ? 0.4 : 0.6) * (term.narrows === true ? NARROWING : 1);
  return Math.max(0.1, full * known);
}

/** The first noun of `users table` may well be the name of the table. */
const NARROWING = 0.6;

export const TOLD = 0.75;
const PARAMETER = 0.7;
const CHOICE = 0.45;
const MENTION = 0.55;

/** An `event` of the input is one of many kinds: that a goal is about a meeting, it does not tell. */
function coverOf(
  word: string,
  { nouns, family, toldNouns, parameters, choices, words, verbs }: Profile,
  vocabulary: Vocabulary,
  isHead = false,
): number {
  const among = (known: Iterable<string>): number => Math.max(0, ...[...known].map((each) => likeness(word, each)));
  const byName = Math.max(
    0,
    ...nouns.map((noun) => named(word, noun, vocabulary)),
    among(family),
    among(verbs.map((verb) => verb.word)),
  );
  if (byName > 0) return byName;
  return Math.max(
    among(toldNouns) * TOLD,
    among(isHead ? [...parameters].filter((each) => !areSynonyms(word, each)) : parameters) * PARAMETER,
    choices.has(word) ? CHOICE : 0,
    among(words) * MENTION,
  );
}

/** 1 for what the goal is about or for what narrows it, less for what only surrounds it. */
export function askedFor(
  noun: NameNoun,
  terms: readonly Term[],
  clause: Clause,
  profile: Profile,
  vocabulary: Vocabulary,
): number {
  const { toldNouns } = profile;
  if (noun.weight === 1 && isOrder(clause, profile)) return ORDERED;
  if (clause.verbs.some(({ word }) => likeness(word, noun.word) >= 0.75)) return 1;
  if (noun.weight === 1 && isAct(noun, clause)) return 1;
  const alike = terms.filter(({ word, role }) => role !== 'topic' && named(word, noun, vocabulary) > 0);
  if (alike.length === 0 && noun.weight === 1) {
    if (clause.nameless && clause.head === undefined) return NAMELESS;
    const isTold = terms.some(({ word, role }) => /object|of/.test(role) && toldNouns.has(word));
    return isTold ? TOLD : 0;
  }
  if (alike.length === 0) return 0;
  return noun.weight === 1 && alike.every(({ role }) => role === 'context') ? ASIDE : 1;
}

/** `reply on the issue` asks for a comment, which is a verb too. */
function isAct({ word }: NameNoun, { verbs }: Clause): boolean {
  const acts = actNouns.has(word) ? groupsOf(word).filter((group) => classOf(group) === 'write') : [];
  return acts.length > 0 && verbs.some(({ groups }) => groups.some((group) => acts.includes(group)));
}

const ASIDE = 0.75;

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
