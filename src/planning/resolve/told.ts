// What a description says at its beginning that the capability is about: `Send an email`, `List all files and directories`.
import { auxiliaries, determiners, prepositions, topicMarkers } from './lexicon/function-words.ts';
import { partitives } from './lexicon/nouns.ts';
import { groupsOf } from './lexicon/verbs.ts';
import { likeness } from './likeness.ts';
import { singular, verbForms } from './words.ts';

export interface Told {
  /** In the singular. */
  readonly toldNouns: ReadonlySet<string>;
  /** Those of them that name the whole thing: not `the columns of a table`, where the name has `table`. */
  readonly called: ReadonlySet<string>;
  /** Two words for what the name says in the first of them alone: `pull request` of `list_pulls`. */
  readonly compounds: ReadonlySet<string>;
}

/** `named` are the nouns of the name, in the singular. */
export function toldOf(description: string, named: readonly string[]): Told {
  const [sentence = ''] = description.split(/[.;:]\s|[.;:]$/);
  const words = sentence.toLowerCase().match(/[\p{L}-]+|,/gu) ?? [];
  const start = words.findIndex((_, place) => place > 0 && !isLead(words, place));
  if (start < 0) return { toldNouns: new Set(), called: new Set(), compounds: new Set() };
  const { phrases, after } = phrasesFrom(words.slice(start));
  const heads = phrases.flatMap((phrase) => phrase.at(-1) ?? []);
  const isWhole = !phrases.flat().some((word) => named.some((noun) => likeness(word, noun) > 0));
  const isPart = after.some((word) => named.some((noun) => likeness(singular(word), noun) > 0));
  const compounds = phrases.flatMap((phrase) => {
    const [first = '', second = '', ...rest] = phrase.slice(-2);
    const isHead = second !== '' && rest.length === 0 && named.at(-1) === first && !named.includes(second);
    return isHead ? [`${first} ${second}`] : [];
  });
  return {
    toldNouns: new Set(heads),
    called: new Set(isWhole && !isPart ? heads : []),
    compounds: new Set(compounds),
  };
}

const JOINS = /^(,|or|and)$/;

/** Before the nouns: more verbs, what counts and points at them, and manners. */
function isLead(words: readonly string[], place: number): boolean {
  const word = words[place] ?? '';
  const before = words[place - 1] ?? '';
  const isVerb = verbForms(word).some((form) => groupsOf(form).length > 0);
  if (isVerb && (JOINS.test(before) || /ly$/.test(before))) return true;
  return (
    JOINS.test(word) ||
    /^(for|new|existing|specific|given|all|how|much|whether)$/.test(word) ||
    determiners.has(word) ||
    /ly$/.test(word)
  );
}

/** Nouns joined by commas and `and`, up to a preposition; past one that only says how many. */
function phrasesFrom(words: readonly string[]): {
  readonly phrases: readonly string[][];
  readonly after: readonly string[];
} {
  const phrases: string[][] = [[]];
  for (const [place, word] of words.entries()) {
    const isOf = word === 'of' && partitives.has(phrases.at(-1)?.at(-1) ?? '');
    if (isOf) phrases.splice(-1, 1, []);
    else if (prepositions.has(word) || topicMarkers.has(word) || auxiliaries.has(word))
      return { phrases, after: words.slice(place + 1) };
    else if (JOINS.test(word)) phrases.push([]);
    else if (!determiners.has(word)) phrases.at(-1)?.push(singular(word));
  }
  return { phrases, after: [] };
}
