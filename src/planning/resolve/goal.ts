// A goal as it is worded, read: what is asked for clause by clause, with which verbs, about what, and what must not happen.
import { clausesOf, type RawClause } from './clauses.ts';
import type { Term } from './head.ts';
import { backReferences } from './lexicon/function-words.ts';
import { classOf, groupsOf, type VerbClass } from './lexicon/verbs.ts';
import { mannerTerms, readNouns } from './noun-phrase.ts';
import { openingOf } from './opening.ts';
import type { Opening } from './question.ts';
import { tokensOf } from './tokens.ts';
import type { Verb } from './tool-name.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Clause {
  readonly verbs: readonly Verb[];
  readonly classes: ReadonlySet<VerbClass>;
  /** Its verb is none that we know. */
  readonly strange: boolean;
  /** What it is about. */
  readonly head?: Term;
  readonly terms: readonly Term[];
  /** It says which one, by number or name. */
  readonly identified: boolean;
  /** It is about something that it calls by its name alone: `merge 55`. */
  readonly nameless: boolean;
  /** What shall come to the head, or into it. */
  readonly brought?: Term;
}

export interface Goal {
  readonly clauses: readonly Clause[];
  /** Groups of verbs that are ruled out: `do not delete`. */
  readonly forbidden: ReadonlySet<string>;
}

export function readGoal(text: string, vocabulary: Vocabulary): Goal {
  const knows = (word: string): boolean => vocabulary.named(word) > 0 || vocabulary.acronym(word) !== undefined;
  const raw = clausesOf(tokensOf(text, knows), vocabulary);
  const clauses = raw.reduce<readonly Clause[]>((before, each) => withClause(before, each, vocabulary), []);
  const forbidden = raw.flatMap(({ denied }) => (denied === undefined ? [] : groupsOf(denied)));
  return { clauses, forbidden: new Set(forbidden) };
}

/** A clause of its own, or more about the one before. */
function withClause(clauses: readonly Clause[], raw: RawClause, vocabulary: Vocabulary): readonly Clause[] {
  if (raw.tokens.length === 0) return clauses;
  const before = clauses.at(-1);
  const opening = openingOf(raw.tokens, vocabulary);
  const own = readClause(raw, opening, vocabulary);
  if (before === undefined) return [own];
  const earlier = clauses.slice(0, -1);
  if (isOnlyNames(raw)) return [...earlier, { ...before, identified: true }];
  if (opening.bare === true) return [...earlier, enlarged(before, own, vocabulary)];
  const clause = inherit(own, before, raw);
  // A verb that we do not know is told by the next: `prevent comments by locking it`.
  const told =
    before.classes.size > 0
      ? before
      : { ...before, verbs: clause.verbs, classes: clause.classes, strange: clause.strange };
  return [...earlier, told, clause];
}

/** `what of the pull request? status please`: things that some tool is named for narrow what was asked, others do not matter. */
function enlarged(clause: Clause, more: Clause, vocabulary: Vocabulary): Clause {
  const terms = more.terms.map((term): Term => ({ ...term, role: vocabulary.named(term.word) > 0 ? 'of' : 'topic' }));
  const isKnown = (term: Term | undefined): boolean => term !== undefined && vocabulary.named(term.word) > 0;
  const head = isKnown(clause.head) || !isKnown(more.head) ? clause.head : more.head;
  return { ...clause, ...(head === undefined ? {} : { head }), terms: [...clause.terms, ...terms] };
}

function readClause({ manners }: RawClause, { verbs, rest, question }: Opening, vocabulary: Vocabulary): Clause {
  const { head, terms, identified, nameless, brought, numbered } = readNouns(
    rest,
    vocabulary,
    question === true,
    verbs,
  );
  return {
    verbs: head?.plural === true ? verbs.map(ofMany) : numbered ? verbs.map(ofOne) : verbs,
    classes: new Set(verbs.flatMap(({ groups }) => groups.flatMap((group) => classOf(group) ?? []))),
    strange: verbs.every(({ groups }) => groups.length === 0),
    ...(head === undefined ? {} : { head }),
    terms: [...terms, ...mannerTerms(manners, vocabulary)],
    identified,
    nameless: nameless && question !== true,
    ...(brought === undefined ? {} : { brought }),
  };
}

/** To find the one with the number is to get it. */
function ofOne(verb: Verb): Verb {
  return verb.groups.includes('search') ? { ...verb, groups: ['get'] } : verb;
}

/** To get many is to list them. */
function ofMany(verb: Verb): Verb {
  return verb.groups.includes('get') ? { ...verb, groups: [...verb.groups, 'list'] } : verb;
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
