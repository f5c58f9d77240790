// A goal as it is worded, read: what is asked for clause by clause, with which verbs, about what, and what must not happen.
import { clausesOf, type RawClause } from './clauses.ts';
import { backReferences } from './lexicon/function-words.ts';
import { classOf, groupsOf, type VerbClass } from './lexicon/verbs.ts';
import { mannerTerms, readNouns, type Term } from './noun-phrase.ts';
import { openingOf } from './opening.ts';
import type { Verb } from './profile.ts';
import { tokensOf } from './tokens.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Clause {
  readonly verbs: readonly Verb[];
  readonly classes: ReadonlySet<VerbClass>;
  /** What it is about. */
  readonly head?: Term;
  readonly terms: readonly Term[];
  /** It says which one, by number or name. */
  readonly identified: boolean;
  /** It is about something that it calls by its name alone: `merge 55`. */
  readonly nameless: boolean;
}

export interface Goal {
  readonly clauses: readonly Clause[];
  /** Groups of verbs that are ruled out: `do not delete`. */
  readonly forbidden: ReadonlySet<string>;
}

export function readGoal(text: string, vocabulary: Vocabulary): Goal {
  const knows = (word: string): boolean => vocabulary.named(word) > 0 || vocabulary.acronym(word) !== undefined;
  const raw = clausesOf(tokensOf(text, knows), vocabulary);
  const clauses: Clause[] = [];
  for (const each of raw) {
    const before = clauses.at(-1);
    if (each.tokens.length === 0) continue;
    if (before !== undefined && isOnlyNames(each)) clauses.splice(-1, 1, { ...before, identified: true });
    else {
      const clause = inherit(readClause(each, vocabulary), before, each);
      if (before?.classes.size === 0)
        clauses.splice(-1, 1, { ...before, verbs: clause.verbs, classes: clause.classes });
      clauses.push(clause);
    }
  }
  const forbidden = raw.flatMap(({ denied }) => (denied === undefined ? [] : groupsOf(denied)));
  return { clauses, forbidden: new Set(forbidden) };
}

function readClause({ tokens, manners }: RawClause, vocabulary: Vocabulary): Clause {
  const { verbs, rest, question = false } = openingOf(tokens, vocabulary);
  const { head, terms, identified, nameless } = readNouns(rest, vocabulary, question, verbs);
  return {
    verbs,
    classes: new Set(verbs.flatMap(({ groups }) => groups.flatMap((group) => classOf(group) ?? []))),
    ...(head === undefined ? {} : { head }),
    terms: [...terms, ...mannerTerms(manners, vocabulary)],
    identified,
    nameless,
  };
}

/** `read these files: a.txt and b.txt` says nothing new after its colon. */
function isOnlyNames({ tokens }: RawClause): boolean {
  return tokens.every(({ kind, text }) => kind !== 'word' || /^(and|or)$/.test(text));
}

/** A clause about `it` is about what the clause before was about. */
function inherit(clause: Clause, before: Clause | undefined, { tokens }: RawClause): Clause {
  const refers = clause.terms.length === 0 || tokens.some(({ text }) => backReferences.has(text));
  if (before?.head === undefined || clause.head !== undefined || !refers) return clause;
  const terms = [...clause.terms, ...before.terms];
  return { ...clause, head: before.head, terms, identified: clause.identified || before.identified };
}
