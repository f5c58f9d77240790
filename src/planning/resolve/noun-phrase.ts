// The things that a clause speaks of: which one it is about, which narrow that one down, which merely surround it.

import { destroys, headOf, PLACING, type Role, searches, type Term } from './head.ts';
import {
  auxiliaries,
  determiners,
  fillers,
  isManner,
  makers,
  negations,
  prepositions,
  pronouns,
  questionWords,
  topicMarkers,
} from './lexicon/function-words.ts';
import { isAbstract, isCommonNoun, partitives } from './lexicon/nouns.ts';
import { actNouns, groupsOf } from './lexicon/verbs.ts';
import type { Token } from './tokens.ts';
import type { Verb } from './tool-name.ts';
import type { Vocabulary } from './vocabulary.ts';
import { isPlural, partsOf, singular, verbForms } from './words.ts';

interface Nouns {
  readonly head: Term | undefined;
  readonly terms: readonly Term[];
  readonly identified: boolean;
  /** Its object is a name or number alone. */
  readonly nameless: boolean;
  /** It says which one by number. */
  readonly numbered: boolean;
  /** What is brought to the head: `a label` of `add a label to the issue`, where no tool is about labels. */
  readonly brought: Term | undefined;
}

interface Scan {
  readonly terms: Term[];
  role: Role;
  identified: boolean;
  nameless: boolean;
  /** Behind `did`, `have` and the like, where a question has its own verb. */
  acting: boolean;
  /** Behind `every`: one word for many. */
  each: boolean;
  /** Where a word may be the name of something, or something else that would be lost with it. */
  readonly careful: boolean;
}

export function readNouns(
  tokens: readonly Token[],
  vocabulary: Vocabulary,
  question: boolean,
  verbs: readonly Verb[],
): Nouns {
  const asksWho = question && knowsVerb(tokens[0]?.text ?? '') && !vocabularyHas(tokens[0], vocabulary);
  const start = beginsWithName(tokens, vocabulary) ? 1 : 0;
  const careful = destroys(verbs);
  const scan: Scan = {
    terms: [],
    role: 'object',
    identified: start > 0,
    nameless: start > 0,
    acting: asksWho,
    each: false,
    careful,
  };
  const acts = new Set(
    verbs.flatMap(({ word }) =>
      (actNouns.has(word) || vocabulary.isVerb(word)) && vocabulary.isAct(word) ? [word] : [],
    ),
  );
  for (const [place, token] of tokens.entries()) {
    if (place < start) continue;
    if (token.kind === 'value')
      takeValue(scan, isSought(token, verbs) ? { kind: 'value', text: token.text } : token, vocabulary);
    else if (acts.has(token.text)) continue;
    else if (token.kind === 'word') takeWord(scan, token, [tokens[place - 1], tokens[place + 1]], vocabulary, question);
    else if (scan.role === 'topic') scan.role = 'context';
  }
  scan.terms.push(...selfIn(tokens, vocabulary), ...manyIn(tokens, vocabulary));
  const head = headOf(scan.terms, scan.nameless, vocabulary, verbs);
  const brought =
    head?.role === 'context' && verbs.some(({ word }) => PLACING.test(word))
      ? scan.terms.findLast((term) => term.role === 'object' && term.implied !== true)
      : undefined;
  const apposed = head === undefined ? undefined : scan.terms[scan.terms.indexOf(head) + 1];
  const isNamed = apposed !== undefined && apposed.role === head?.role && vocabulary.named(apposed.word) === 0;
  return {
    head,
    terms: scan.terms,
    identified: scan.identified || isNamed,
    nameless: scan.nameless && !scan.terms.some(({ role }) => role === 'object'),
    brought,
    numbered: tokens.some(
      ({ kind, text }, at) =>
        kind === 'value' && /^#?\d+$/.test(text) && singular(tokens[at - 1]?.text ?? '') === head?.word,
    ),
  };
}

/** Quoted text that is searched for looks like a file at most by chance. */
function isSought({ text }: Token, verbs: readonly Verb[]): boolean {
  return /^["“`']/.test(text) && searches(verbs);
}

function vocabularyHas(token: Token | undefined, vocabulary: Vocabulary): boolean {
  return token !== undefined && vocabulary.named(singular(token.text)) === 1;
}

function takeValue(scan: Scan, { text, implies, owns }: Token, vocabulary: Vocabulary): void {
  const { role } = scan;
  if (role === 'topic') return;
  if (owns === true && role === 'object') {
    // `issue 5's title`
    for (const [place, term] of scan.terms.entries())
      if (term.role === 'object') scan.terms[place] = { ...term, role: 'of' };
    scan.identified = true;
    return;
  }
  scan.identified = true;
  if (role === 'object') scan.nameless = true;
  if (implies !== undefined) scan.terms.push({ word: implies, plural: false, role, implied: true });
  const words =
    implies === undefined && !scan.terms.some((term) => term.role === role) && /^[\p{Lu}\d-]+$/u.test(text)
      ? partsOf(text).filter((part) => /^\p{L}{3,}$/u.test(part))
      : [];
  for (const word of words) if (vocabulary.says(word)) scan.terms.push({ word, plural: false, role });
}

function takeWord(
  scan: Scan,
  { text, owns }: Token,
  [before, after]: readonly (Token | undefined)[],
  vocabulary: Vocabulary,
  question: boolean,
): void {
  const { terms, role } = scan;
  const word = singular(text);
  const isNamed = vocabulary.named(word) > 0;
  const hasObject = scan.nameless || terms.some((term) => term.role === 'object');
  if (/^(for|on|about)$/.test(text) && partitives.has(terms.at(-1)?.word ?? '') && role === 'object') {
    scan.role = 'of';
  } else if (topicMarkers.has(text) && !(vocabulary.named(word) === 1 && role !== 'topic')) {
    if (hasObject) scan.role = 'topic';
  } else if (text === 'as') {
    scan.role = role === 'topic' || !/^(a|an)$/.test(after?.text ?? '') ? 'context' : 'object';
  } else if (prepositions.has(text)) {
    if (text === 'by' || (hasObject && role !== 'topic'))
      scan.role = text === 'of' && isListed(scan) ? 'in' : roleAfter(text);
    scan.each = false;
  } else if (auxiliaries.has(text)) {
    if (question && hasObject) scan.role = 'context';
    scan.acting = true;
  } else if (/^(every|each)$/.test(text)) {
    scan.each = true;
  } else if (isManner(text)) {
    if (isNamed) terms.push({ word, plural: false, role: 'context' });
  } else if (isQuote(before)) {
    scan.identified = true;
  } else if (isQuote({ kind: 'word', text }) && !isNamed) {
    return;
  } else if (isAnyone(text)) {
    if (vocabulary.named('person') > 0) terms.push({ word: 'person', plural: false, role });
  } else if (
    question &&
    (scan.acting || (hasObject && scan.identified && /ed$/.test(text))) &&
    vocabulary.named(word) < 1 &&
    !(determiners.has(before?.text ?? '') && isPlural(text)) &&
    knowsVerb(text)
  ) {
    const noun = [...verbForms(text), ...verbForms(text).flatMap(groupsOf)].find(
      (form) => vocabulary.named(form) === 1,
    );
    if (noun !== undefined) {
      terms.push({ word: noun, plural: true, role: hasObject ? 'context' : 'object' });
      if (!hasObject) scan.role = 'of';
    } else if (vocabulary.says(word)) terms.push({ word, plural: false, role: 'context' });
  } else if (isRelating(text, after, vocabulary) && hasObject && role === 'object') {
    scan.role = 'context';
  } else if (question && hasObject && vocabulary.said(word) === 0 && !isNamed && /(ing|ed)$/.test(text)) {
    return;
  } else if (!isSilent(text, isNamed, question && scan.acting) && (isNamed || !isPurpose(text, before))) {
    if (
      question &&
      hasObject &&
      role === 'object' &&
      determiners.has(before?.text ?? '') &&
      !/^(its|their)$/.test(before?.text ?? '')
    )
      scan.role = 'of';
    // `add the labels bug and ui`: what several are called.
    const last = terms.at(-1);
    const lists = before?.kind === 'word' && singular(before.text) === last?.word;
    const takesName = last !== undefined && vocabulary.isNoun(last.word) && (last.plural || NAMED.test(last.word));
    if (lists && takesName && !(scan.careful && isAbstract(word)) && !vocabulary.isNoun(word) && !isPlural(text))
      return;
    const plural = isPlural(text) || scan.each;
    const next = after?.kind === 'word' && owns !== true ? singular(after.text) : '';
    // One says `issue comment` and `csv file`: a plural before a noun is likely the name of something, as in `users table`.
    const narrows = isPlural(text) && vocabulary.named(next) > 0 && !vocabulary.isPair(word, next);
    terms.push({
      word,
      plural,
      ...(narrows ? { narrows } : {}),
      // `issue 5 is done, close it`: how something is, is not what it is.
      role:
        !question && scan.acting && hasObject && !isNamed
          ? 'context'
          : owns === true && scan.role === 'object'
            ? 'of'
            : scan.role,
    });
  }
}

/** `a list of comments of the issue`: what is listed comes first, and whose they are after it. */
function isListed({ role, terms }: Scan): boolean {
  return role === 'of' && terms.every((term) => term.role !== 'object' || partitives.has(term.word));
}

/** What is mostly told by its name: `the label bug`. */
const NAMED = /^(label|tag|branch|channel|category|folder|topic|keyword)$/;

function roleAfter(preposition: string): Role {
  if (preposition === 'of') return 'of';
  return /^(in|inside|within)$/.test(preposition) ? 'in' : 'context';
}

/**
 * `assign carol to issue 5`: one thing alone, without an article, that nobody knows, is a name in small letters where what it
 * shall come to is known.
 */
function beginsWithName([first, second, ...rest]: readonly Token[], vocabulary: Vocabulary): boolean {
  const word = singular(first?.text ?? '');
  if (first?.kind !== 'word' || word !== first.text || !/^(to|from|on)$/.test(second?.text ?? '')) return false;
  const isOrdinary = isCommonNoun(word) || pronouns.has(word) || determiners.has(word) || isAnyone(word);
  const isKnown = vocabulary.named(word) > 0 || vocabulary.said(word) > 0;
  return !isOrdinary && !isKnown && rest.some(({ text }) => vocabulary.named(singular(text)) === 1);
}

/** `the requests targeting the release branch` */
function isRelating(text: string, after: Token | undefined, vocabulary: Vocabulary): boolean {
  const leads = after?.kind === 'value' || determiners.has(after?.text ?? '');
  return /\p{L}{3}ing$/u.test(text) && leads && vocabulary.named(text) === 0;
}

/** `the word password`: what comes next is said, not meant. */
function isQuote(token: Token | undefined): boolean {
  return token !== undefined && /^(word|phrase|term|string|keyword)$/.test(token.text);
}

function isAnyone(text: string): boolean {
  return /^(some|any|every)(one|body)$/.test(text);
}

function isSilent(text: string, isNamed: boolean, acting: boolean): boolean {
  if (text === 'me' || text === 'myself' || (acting && text === 'people')) return true;
  if (determiners.has(text) || questionWords.has(text) || negations.has(text) || /^(and|or)$/.test(text)) return true;
  return !isNamed && (pronouns.has(text) || makers.has(text) || fillers.has(text) || /^\p{L}+ly$/u.test(text));
}

function knowsVerb(text: string): boolean {
  return verbForms(text).some((form) => groupsOf(form).length > 0);
}

/** A verb within the sentence, as in `used to changing`: what it is for is not what it is about. */
function isPurpose(text: string, before: Token | undefined): boolean {
  return before?.text === 'to' && /(ed|ing)$/.test(text) && knowsVerb(text);
}

/** `who am I`, `my profile`: the one who asks. */
function selfIn(tokens: readonly Token[], vocabulary: Vocabulary): readonly Term[] {
  const self = tokens.some(({ text }, place) => {
    const next = tokens.slice(place + 1, place + 3).map((token) => token.text);
    if (text === 'am') return next[0] === 'i' && /^(who|what)$/.test(tokens[place - 1]?.text ?? 'who');
    const owned = text === 'my' && next.some((word) => /^(user|username|login|profile|account|identity)$/.test(word));
    return owned && !prepositions.has(tokens[place - 1]?.text ?? '');
  });
  return self && vocabulary.named('me') > 0 ? [{ word: 'me', plural: false, role: 'object' }] : [];
}

const MANY = /^(several|many|multiple|two|three|four|five|six|seven|eight|nine|ten|dozen|bulk)$/;

function manyIn(tokens: readonly Token[], vocabulary: Vocabulary): readonly Term[] {
  const many = vocabulary.named('multiple') > 0 && tokens.some(({ text }) => MANY.test(text));
  return many ? [{ word: 'multiple', plural: true, role: 'context' }] : [];
}

/** `quickly` where a tool is named `quick_add`. */
export function mannerTerms(manners: readonly string[], vocabulary: Vocabulary): readonly Term[] {
  return manners.flatMap((manner) =>
    [manner, manner.replace(/ly$/, '')]
      .filter((word) => vocabulary.named(word) > 0 || vocabulary.says(word))
      .map((word): Term => ({ word, plural: false, role: 'context' })),
  );
}
