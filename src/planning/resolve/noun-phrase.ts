// The things that a clause speaks of: which one it is about, which narrow that one down, which merely surround it.
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
import { collectives, isCommonNoun, partitives } from './lexicon/nouns.ts';
import { actNouns, groupsOf } from './lexicon/verbs.ts';
import type { Token } from './tokens.ts';
import type { Verb } from './tool-name.ts';
import type { Vocabulary } from './vocabulary.ts';
import { isPlural, partsOf, singular, verbForms } from './words.ts';

/** `object`: what is acted on; `of`, `in`: whose or where it is; `context`: with, to, for what; `topic`: in the data's own words. */
type Role = 'object' | 'of' | 'in' | 'context' | 'topic';

export interface Term {
  /** In the singular. */
  readonly word: string;
  readonly plural: boolean;
  readonly role: Role;
  /** Not said, but plain from the looks of a value. */
  readonly implied?: true;
  /** Another noun follows at once, which it narrows. */
  readonly narrows?: true;
}

interface Nouns {
  readonly head: Term | undefined;
  readonly terms: readonly Term[];
  readonly identified: boolean;
  /** Its object is a name or number alone. */
  readonly nameless: boolean;
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
}

export function readNouns(
  tokens: readonly Token[],
  vocabulary: Vocabulary,
  question: boolean,
  verbs: readonly Verb[],
): Nouns {
  const asksWho = question && knowsVerb(tokens[0]?.text ?? '') && !vocabularyHas(tokens[0], vocabulary);
  const start = beginsWithName(tokens, vocabulary) ? 1 : 0;
  const scan: Scan = {
    terms: [],
    role: 'object',
    identified: start > 0,
    nameless: start > 0,
    acting: asksWho,
    each: false,
  };
  const acts = new Set(verbs.flatMap(({ word }) => (isOnlyAct(word, vocabulary) ? [word] : [])));
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
  };
}

/** Quoted text that is searched for looks like a file at most by chance. */
function isSought({ text }: Token, verbs: readonly Verb[]): boolean {
  return /^["“`']/.test(text) && searches(verbs);
}

/** `give it a star`: the noun says what is done, and no tool is named for such a thing. */
function isOnlyAct(word: string, vocabulary: Vocabulary): boolean {
  return actNouns.has(word) ? vocabulary.named(word) === 0 : vocabulary.isVerb(word) && !vocabulary.isNoun(word);
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
    implies === undefined && /^[\p{Lu}\d-]+$/u.test(text)
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
    if (lists && last?.plural === true && vocabulary.isNoun(last.word) && !vocabulary.isNoun(word) && !isPlural(text))
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

/** Verbs that bring their object to a place; what changes is the place. */
const PLACING =
  /^(put|store|save|write|insert|place|enter|keep|add|append|attach|assign|commit|push|upload|ask|let.*|tell|inform|notify|invite|remind)$/;

/**
 * The last noun of the object, as far as a tool knows it: `the column fax` is about a column, `the channel history` about a
 * history, and `the branch protection` about a protection, which no tool need know.
 */
function headOf(
  terms: readonly Term[],
  nameless: boolean,
  vocabulary: Vocabulary,
  verbs: readonly Verb[],
): Term | undefined {
  const isKnown = ({ word }: Term): boolean => vocabulary.named(word) > 0;
  const object = terms.filter(({ role, implied }) => role === 'object' && implied !== true);
  const head = object.findLast((term) => isKnown(term) || isCommonNoun(term.word)) ?? object.at(-1);
  const implied = terms.find((term) => term.implied === true);
  // `remove Dan from the attendees`: one of them.
  const places = verbs.some(({ word }) => PLACING.test(word));
  // `look for "x" in the code`: quoted text is what is looked for, not where.
  const within = searches(verbs) ? terms.find((term) => term.role === 'in' && isKnown(term)) : undefined;
  if (head === undefined && nameless && within !== undefined && implied === undefined) return within;
  if (head === undefined && nameless)
    return implied ?? terms.find((term) => term.role === 'context' && (term.plural || places) && isKnown(term));
  if (head === undefined) return implied ?? terms.find(({ role }) => role !== 'topic');
  const owners = terms.filter(({ role }) => role === 'of' || role === 'in');
  const owner = owners.findLast((term) => term.role === 'of' && isKnown(term)) ?? owners.findLast(isKnown) ?? owners[0];
  const gathered = object[object.indexOf(head) - 1];
  if (collectives.has(head.word) && vocabulary.named(head.word) < 1 && gathered !== undefined)
    return { ...gathered, plural: true };
  const isPart = partitives.has(head.word) && (owner !== undefined || implied !== undefined || !isKnown(head));
  // The title of an issue is the to change, where no tool is about titles.
  const isStrange = mends(verbs)
    ? vocabulary.named(head.word) < 1
    : !isKnown(head) && (isAttribute(head) || !vocabulary.says(head.word));
  const isAspect = isStrange && owner !== undefined && isKnown(owner) && (asks(verbs) || mends(verbs));
  if (isPart || isAspect) return owner ?? implied ?? head;
  // `the script build.sh`
  if (!isKnown(head) && !vocabulary.says(head.word) && !isCommonNoun(head.word) && implied?.role === 'object')
    return implied;
  const searched = searches(verbs) ? owners.find((term) => term.role === 'in' && isKnown(term)) : undefined;
  if (searched !== undefined && !isKnown(head)) return searched;
  return places && !isKnown(head)
    ? (terms.find((term) => term.role !== 'object' && isKnown(term)) ?? implied ?? head)
    : head;
}

/** What everything has, and is asked of it: `the status of issue 5`. */
function isAttribute({ word }: Term): boolean {
  return /^(status|state|title|name|description|author|creator|owner|date)$/.test(word);
}

function asks(verbs: readonly Verb[]): boolean {
  return verbs.some(({ groups }) => groups.includes('get') || groups.includes('list'));
}

function searches(verbs: readonly Verb[]): boolean {
  return verbs.some(({ groups }) => groups.includes('search'));
}

function mends(verbs: readonly Verb[]): boolean {
  return verbs.some(({ groups }) => groups.includes('update'));
}
