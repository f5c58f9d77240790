// A goal as it is worded, read: what is asked for clause by clause, with which verbs, about what, and what must not happen.
import {
  auxiliaries,
  backReferences,
  determiners,
  fillers,
  indefinite,
  makers,
  negations,
  politeStarts,
  prepositions,
  questionWords,
  wishes,
} from './lexicon/function-words.ts';
import {
  actNouns,
  classOf,
  groupsOf,
  knownVerbs,
  lightVerbs,
  nounLike,
  phrases,
  type VerbClass,
} from './lexicon/verbs.ts';
import { isSlip } from './likeness.ts';
import { mannersIn, readNouns, type Term } from './noun-phrase.ts';
import type { Verb } from './profile.ts';
import { type Token, tokensOf } from './tokens.ts';
import type { Vocabulary } from './vocabulary.ts';
import { isPlural, singular, verbForms } from './words.ts';

export interface Clause {
  /** Empty for a bare thing: `open pull requests`. */
  readonly verbs: readonly Verb[];
  readonly classes: ReadonlySet<VerbClass>;
  /** No verb of ours was recognised at its head, though there is one. */
  readonly strange: boolean;
  readonly head?: Term;
  readonly terms: readonly Term[];
  /** It says which one, by number or name. */
  readonly identified: boolean;
}

export interface Goal {
  readonly clauses: readonly Clause[];
  /** Groups of verbs that are ruled out: `do not delete`. */
  readonly forbidden: ReadonlySet<string>;
}

export function readGoal(text: string, vocabulary: Vocabulary): Goal {
  const knows = (word: string): boolean => vocabulary.named(word) > 0 || vocabulary.acronym(word) !== undefined;
  const tokens = withAcronyms(tokensOf(text, knows), vocabulary);
  const clauses: Clause[] = [];
  const forbidden = new Set<string>();
  for (const part of clausesOf(tokens, vocabulary)) {
    const { kept, denied } = withoutDenied(withoutPoliteness(part));
    for (const verb of denied) for (const group of verb.groups) forbidden.add(group);
    const before = clauses.at(-1);
    if (kept.length === 0) continue;
    if (before !== undefined && kept.every(({ kind, text }) => kind !== 'word' || /^(and|or)$/.test(text))) {
      clauses[clauses.length - 1] = { ...before, identified: true };
      continue;
    }
    const clause = inherit(readClause(kept, vocabulary), before, kept);
    clauses.push({ ...clause, terms: [...clause.terms, ...mannersIn(part, vocabulary)] });
  }
  return { clauses, forbidden };
}

function withAcronyms(tokens: readonly Token[], vocabulary: Vocabulary): readonly Token[] {
  return tokens.flatMap((token): readonly Token[] => {
    if (!/^\p{L}{2,4}$/u.test(token.text) || isStructure(token.text.toLowerCase())) return [token];
    const lower = token.text.toLowerCase();
    const one = lower.endsWith('s') ? vocabulary.acronym(lower.slice(0, -1)) : undefined;
    const many = one !== undefined;
    const stands = one ?? vocabulary.acronym(lower);
    if (stands === undefined || groupsOf(lower).length > 0) return [token];
    return stands.map((text, place) => ({
      kind: 'word',
      text: many && place === stands.length - 1 ? `${text}s` : text,
    }));
  });
}

function isStructure(word: string): boolean {
  return (
    [auxiliaries, determiners, fillers, questionWords, negations].some((set) => set.has(word)) ||
    /^(i|in|on|at|of|to|me|us|it|and|or|as|by|up)$/.test(word)
  );
}

/** Apart at full stops, colons and the like, and where `and`, `then` or a comma goes on with another verb. */
function clausesOf(tokens: readonly Token[], vocabulary: Vocabulary): readonly (readonly Token[])[] {
  const clauses: Token[][] = [[]];
  for (const [place, token] of tokens.entries()) {
    const joins = token.kind === 'comma' || /^(and|then|but)$/.test(token.text);
    if (token.kind === 'break' || (joins && beginsClause(tokens, place + 1, vocabulary))) clauses.push([]);
    else clauses.at(-1)?.push(token);
  }
  return clauses.filter((clause) => clause.some(({ kind }) => kind === 'word' || kind === 'value'));
}

function beginsClause(tokens: readonly Token[], place: number, vocabulary: Vocabulary): boolean {
  const token = tokens[place];
  if (token?.kind !== 'word') return false;
  if (/^(then|and|but|please|also|do|don't|dont|not|never|only)$/.test(token.text))
    return beginsClause(tokens, place + 1, vocabulary) || negations.has(token.text);
  const verb = knownVerb(token.text);
  return (
    verb !== undefined &&
    verbForms(token.text)[0] === verb &&
    !(nounLike.has(verb) && vocabulary.named(singular(verb)) > 0)
  );
}

function withoutPoliteness(tokens: readonly Token[]): readonly Token[] {
  const start = politeStarts.find((words) => words.every((word, place) => tokens[place]?.text === word));
  if (start !== undefined && tokens.length > start.length) return withoutPoliteness(tokens.slice(start.length));
  const [first] = tokens;
  if (first?.kind === 'comma') return withoutPoliteness(tokens.slice(1));
  return first !== undefined && isAdverb(first.text) && tokens.length > 1 ? withoutPoliteness(tokens.slice(1)) : tokens;
}

function isAdverb(word: string): boolean {
  return /ly$/.test(word) && knownVerb(word) === undefined;
}

/** What comes after a negation is no order but its opposite. */
function withoutDenied(tokens: readonly Token[]): {
  readonly kept: readonly Token[];
  readonly denied: readonly Verb[];
} {
  const place = tokens.findIndex(({ kind, text }, index) => {
    const next = tokens[index + 1];
    return kind === 'word' && negations.has(text) && next?.kind === 'word' && knownVerb(next.text) !== undefined;
  });
  const next = tokens[place + 1];
  if (place < 0 || next === undefined) return { kept: tokens, denied: [] };
  const verb = knownVerb(next.text) ?? next.text;
  const kept = tokens.slice(0, place).filter(({ text }) => !/^(do|does|but|and)$/.test(text));
  return { kept, denied: [{ word: verb, groups: groupsOf(verb) }] };
}

function knownVerb(word: string): string | undefined {
  return verbForms(word).find((form) => groupsOf(form).length > 0);
}

interface Opening {
  readonly verbs: readonly Verb[];
  readonly rest: readonly Token[];
  readonly question?: true;
  readonly strange?: true;
  /** The verb leaves its meaning to a noun. */
  readonly light?: true;
}

function readClause(tokens: readonly Token[], vocabulary: Vocabulary): Clause {
  const opening = openingOf(tokens, vocabulary);
  const read = readNouns(opening.rest, vocabulary, opening.question === true);
  const inner = opening.light === true ? opening.rest.flatMap(actIn) : [];
  const verbs = inner.some(({ word }) => vocabulary.named(word) === 0) ? inner : [...opening.verbs, ...inner];
  return {
    verbs,
    classes: new Set(verbs.flatMap(({ groups }) => groups.flatMap((group) => classOf(group) ?? []))),
    strange: opening.strange === true,
    ...(read.head === undefined ? {} : { head: read.head }),
    terms: read.terms,
    identified: read.identified,
  };
}

/** A noun that says what a light verb does: a copy, a search. */
function actIn({ text }: Token, place: number, tokens: readonly Token[]): readonly Verb[] {
  const isAct = actNouns.has(text) && determiners.has(tokens[place - 1]?.text ?? '');
  return isAct && groupsOf(text).length > 0 ? [{ word: text, groups: groupsOf(text) }] : [];
}

/** What comes after it is neither object nor owner. */
const BY: Token = { kind: 'word', text: 'by' };
const OF: Token = { kind: 'word', text: 'of' };

const ASKED = { word: 'show', groups: ['get', 'list'] };

function openingOf(tokens: readonly Token[], vocabulary: Vocabulary): Opening {
  const [first, second] = tokens;
  if (first === undefined || first.kind !== 'word') return { verbs: [ASKED], rest: tokens };
  const wish = wishes.find((words) => words.every((word, place) => tokens[place]?.text === word));
  if (wish !== undefined) return ofWish(tokens.slice(wish.length));
  if (questionWords.has(first.text)) return ofQuestion(first.text, tokens.slice(1));
  if (
    (auxiliaries.has(first.text) && !(first.text === 'do' || first.text === 'have')) ||
    (first.text === 'do' && /^(we|i|you|they)$/.test(second?.text ?? ''))
  )
    return { verbs: [ASKED], rest: tokens.slice(1), question: true };
  if (second?.kind === 'word' && vocabulary.isPair(singular(first.text), singular(second.text)))
    return { verbs: [ASKED], rest: tokens };
  if (determiners.has(first.text)) return { verbs: [ASKED], rest: tokens };
  return ofOrder(tokens, vocabulary);
}

function ofWish(rest: readonly Token[]): Opening {
  const words = rest.slice(0, 4).map(({ text }) => text);
  const maker = words.find((word) => makers.has(word));
  if (maker === 'new' || maker === 'fresh') return { verbs: [{ word: 'create', groups: ['create'] }], rest };
  if (maker !== undefined) return { verbs: [{ word: 'add', groups: ['add'] }], rest };
  return { verbs: [ASKED], rest };
}

/** What a question asks for besides its nouns: how big is the size, when the time. */
const measures: Readonly<Record<string, string>> = {
  big: 'size',
  large: 'size',
  heavy: 'size',
  long: 'duration',
  old: 'time',
  fast: 'speed',
  often: 'frequency',
  expensive: 'price',
  when: 'time',
  where: 'location',
};

const askedBy: Readonly<Record<string, readonly string[]>> = {
  how: ['get', 'compute', 'track'],
  where: ['search', 'track'],
  why: ['explain', 'get'],
  when: ['get', 'search'],
};

function ofQuestion(word: string, rest: readonly Token[]): Opening {
  const next = rest[0]?.text ?? '';
  if (word === 'how' && next === 'many') {
    return { verbs: [{ word: 'count', groups: ['count', 'list'] }], rest: rest.slice(1), question: true };
  }
  const measure = measures[word] ?? (word === 'how' ? measures[next] : undefined);
  const asked: readonly Token[] = measure === undefined ? [] : [OF, { kind: 'word', text: measure }];
  const groups = askedBy[word];
  const isMany = rest.slice(0, 3).some(({ text }) => isPlural(text));
  const verb = groups !== undefined ? { word: 'get', groups } : isMany ? { word: 'list', groups: ['list'] } : ASKED;
  return { verbs: [verb], rest: [...(word === 'how' ? rest.slice(1) : rest), ...asked], question: true };
}

function ofOrder(tokens: readonly Token[], vocabulary: Vocabulary): Opening {
  const phrase = phraseAt(tokens);
  if (phrase !== undefined) return phrase;
  const [first, second] = tokens;
  if (first === undefined) return { verbs: [], rest: tokens };
  const rest = tokens.slice(1);
  const known = knownVerb(first.text);
  const plainNoun = second === undefined || second.kind === 'break';
  if (known !== undefined && !(plainNoun && nounLike.has(known) && vocabulary.named(singular(first.text)) > 0)) {
    const denominal = vocabulary.named(singular(known)) > 0 ? [first] : [];
    const groups = openGroups(known, rest);
    return {
      verbs: [{ word: known, groups }],
      rest: denominal.length > 0 ? [...rest, BY, ...denominal] : rest,
      ...(lightVerbs.has(known) ? { light: true } : {}),
    };
  }
  if (vocabulary.named(singular(first.text)) > 0) return nounAsVerb(tokens, vocabulary);
  const slip = knownVerbs.find((verb) => isSlip(first.text, verb));
  if (slip !== undefined) return { verbs: [{ word: slip, groups: groupsOf(slip) }], rest };
  if (second?.kind === 'word' && !determiners.has(second.text) && vocabulary.named(singular(second.text)) === 0) {
    return { verbs: [ASKED], rest: tokens };
  }
  return { verbs: [{ word: first.text, groups: [] }], rest, strange: true };
}

/** `branch off main`, `label the issue`: the thing that shall come to be stands for the making of it. */
function nounAsVerb(tokens: readonly Token[], vocabulary: Vocabulary): Opening {
  const [first, second] = tokens;
  const acts =
    second !== undefined &&
    (second.kind === 'value' || determiners.has(second.text) || /^(off|on|to|it|for)$/.test(second.text));
  if (!acts || first === undefined || vocabulary.named(first.text) === 0) return { verbs: [ASKED], rest: tokens };
  return { verbs: [{ word: first.text, groups: ['create', 'add'] }], rest: [...tokens.slice(1), BY, first] };
}

/** What one opens is new, or there already. */
function openGroups(verb: string, rest: readonly Token[]): readonly string[] {
  if (verb !== 'open') return groupsOf(verb);
  return rest.slice(0, 2).some(({ text }) => indefinite.has(text)) ? ['create'] : ['get'];
}

/** A phrase whose words stand together, or around its object. */
function phraseAt(tokens: readonly Token[]): Opening | undefined {
  for (const { words } of phrases) {
    const gap = words.indexOf('…');
    const before = gap < 0 ? words : words.slice(0, gap);
    const starts = before.every((word, place) =>
      place === 0 ? verbForms(tokens[0]?.text ?? '').includes(word) : tokens[place]?.text === word,
    );
    if (!starts) continue;
    const after = gap < 0 ? [] : words.slice(gap + 1);
    const found = after.length === 0 ? before.length : placeOf(tokens, after, before.length + 1);
    if (found < 0) continue;
    const verb = { word: words.join(' '), groups: samePhrase(words) };
    const kept = after.filter((word) => !prepositions.has(word) && !fillers.has(word)).length > 0 ? 0 : after.length;
    return { verbs: [verb], rest: [...tokens.slice(before.length, found), ...tokens.slice(found + kept)] };
  }
  return undefined;
}

function samePhrase(words: readonly string[]): readonly string[] {
  const text = words.join(' ');
  return phrases.filter((phrase) => phrase.words.join(' ') === text).map(({ group }) => group);
}

const GAP = 8;

function placeOf(tokens: readonly Token[], words: readonly string[], from: number): number {
  for (let place = from; place < Math.min(tokens.length, from + GAP); place++) {
    if (words.every((word, index) => tokens[place + index]?.text === word)) return place;
  }
  return -1;
}

/** A clause about `it` is about what the clause before was about. */
function inherit(clause: Clause, before: Clause | undefined, tokens: readonly Token[]): Clause {
  const refers =
    clause.head === undefined && (clause.terms.length === 0 || tokens.some(({ text }) => backReferences.has(text)));
  if (before?.head === undefined || !refers) return clause;
  return {
    ...clause,
    head: before.head,
    terms: [...clause.terms, ...before.terms],
    identified: clause.identified || before.identified,
  };
}
