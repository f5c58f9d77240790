// The words that a catalogue is made of: which of them a goal speaks of, and what its short forms stand for.
import { actNouns } from './lexicon/verbs.ts';
import { isSlip, likeness } from './likeness.ts';
import type { Profile } from './profile.ts';

export interface Vocabulary {
  /** How alike the word is to some noun of a name: 0 when none of the tools is about it. */
  named(word: string): number;
  /** Whether some name has this very noun, which then means just that. */
  isNoun(word: string): boolean;
  /** How alike it is to anything that a contract or description says. */
  said(word: string): number;
  /** Whether a contract or description has this very word. */
  says(word: string): boolean;
  /** Whether some tool is named by this verb, which nobody else need know. */
  isVerb(word: string): boolean;
  /** Whether the word says what is done and no tool is named for such a thing: `a star` of `give it a star`. */
  isAct(word: string): boolean;
  /** Whether the two stand side by side in a name, as in `pull_request`. */
  isPair(first: string, second: string): boolean;
  /** Whether the two say what names say in the first alone, as `pull request` where tools are named `list_pulls`. */
  isCompound(first: string, second: string): boolean;
  /** `pr` is `pull request`. */
  acronym(word: string): readonly string[] | undefined;
}

export function vocabularyOf(profiles: readonly Profile[]): Vocabulary {
  const nouns = new Set(
    profiles.flatMap((profile) => [
      ...profile.nouns.flatMap(({ word, aliases }) => [word, ...aliases]),
      ...profile.family,
    ]),
  );
  const own = new Set(profiles.flatMap((profile) => profile.nouns.map(({ word }) => word)));
  const rest = new Set(profiles.flatMap(({ parameters, choices, words }) => [...parameters, ...choices, ...words]));
  const verbs = new Set(profiles.flatMap((profile) => profile.verbs.map(({ word }) => word)));
  const pairs = new Set<string>();
  const acronyms = new Map<string, readonly string[]>();
  for (const { nouns: own } of profiles) {
    const words = own.map(({ word }) => word);
    for (const [place, word] of words.entries()) {
      const next = words[place + 1];
      if (next === undefined) continue;
      pairs.add(`${word} ${next}`);
      for (const length of [2, 3]) {
        const run = words.slice(place, place + length);
        if (run.length === length) acronyms.set(run.map((each) => each.charAt(0)).join(''), run);
      }
    }
  }
  const compounds = new Set(profiles.flatMap((profile) => [...profile.compounds]));
  for (const compound of compounds) {
    const words = compound.split(' ');
    const short = words.map((each) => each.charAt(0)).join('');
    if (!acronyms.has(short) && !nouns.has(words[1] ?? '')) acronyms.set(short, words.slice(0, 1));
  }
  const named = remembered((word) => closest(word, nouns));
  const said = remembered((word) =>
    rest.has(word) || [...rest].some((each) => isSlip(word, each)) ? 1 : closest(word, rest),
  );
  return {
    named,
    said,
    isNoun: (word) => own.has(word),
    isVerb: (word) => verbs.has(word),
    isAct: (word) => (verbs.has(word) && !actNouns.has(word) ? !own.has(word) : named(word) === 0),
    says: (word) => rest.has(word),
    isCompound: (first, second) => compounds.has(`${first} ${second}`) && !nouns.has(second),
    isPair: (first, second) => pairs.has(`${first} ${second}`),
    acronym: (word) => (named(word) > 0 ? undefined : acronyms.get(word)),
  };
}

function closest(word: string, known: ReadonlySet<string>): number {
  return known.has(word) ? 1 : Math.max(0, ...[...known].map((each) => likeness(word, each)));
}

function remembered(measure: (word: string) => number): (word: string) => number {
  const found = new Map<string, number>();
  return (word) => {
    const known = found.get(word) ?? measure(word);
    found.set(word, known);
    return known;
  };
}
