// The things that a clause speaks of: which one it is about, which narrow that one down, which merely surround it.
import {
  auxiliaries,
  determiners,
  fillers,
  negations,
  prepositions,
  pronouns,
  questionWords,
  topicMarkers,
} from './lexicon/function-words.ts';
import { isCommonNoun, partitives } from './lexicon/nouns.ts';
import { groupsOf } from './lexicon/verbs.ts';
import type { Token } from './tokens.ts';
import type { Vocabulary } from './vocabulary.ts';
import { isPlural, singular, verbForms } from './words.ts';

/** `object`: what is acted on; `of`: whose it is; `context`: in, to, with what; `topic`: in the data's own words. */
type Role = 'object' | 'of' | 'context' | 'topic';

export interface Term {
  /** In the singular. */
  readonly word: string;
  readonly plural: boolean;
  readonly role: Role;
  /** Not said, but plain from the looks of a value. */
  readonly implied?: true;
}

interface Nouns {
  readonly head?: Term;
  readonly terms: readonly Term[];
  readonly identified: boolean;
}

export function readNouns(tokens: readonly Token[], vocabulary: Vocabulary, question: boolean): Nouns {
  const terms: Term[] = [];
  let role: Role = 'object';
  let identified = false;
  let afterAuxiliary = false;
  const hasObject = (): boolean => terms.some((term) => term.role === 'object');
  for (const [place, token] of tokens.entries()) {
    const { kind, text } = token;
    if (kind === 'comma') {
      if (role === 'topic') role = 'context';
      continue;
    }
    if (kind === 'value') {
      if (role !== 'topic') identified = true;
      if (token.implies !== undefined) terms.push({ word: token.implies, plural: false, role, implied: true });
      continue;
    }
    const word = singular(text);
    const isNamed = vocabulary.named(word) > 0;
    if (topicMarkers.has(text) && !(isNamed && role !== 'topic')) {
      if (hasObject()) role = 'topic';
    } else if (prepositions.has(text)) {
      if (text === 'by' || (hasObject() && role !== 'topic'))
        role = /^(of|in|inside|within)$/.test(text) ? 'of' : 'context';
    } else if (auxiliaries.has(text)) {
      if (question && hasObject()) role = 'context';
      afterAuxiliary = true;
    } else if (!isSilent(text, isNamed)) {
      const acts = question && afterAuxiliary && !isNamed && isVerb(text);
      const isSubject = question && afterAuxiliary && text === 'people';
      if (acts) {
        const noun = verbForms(text).find((form) => vocabulary.named(form) === 1);
        if (noun === undefined && vocabulary.said(word) === 1) terms.push({ word, plural: false, role: 'context' });
        if (noun !== undefined) terms.push({ word: noun, plural: true, role: hasObject() ? 'context' : 'object' });
      } else if (!isSubject && (isNamed || !isSkipped(text, tokens, place))) {
        terms.push({
          word,
          plural: isPlural(text) || isEach(tokens[place - 1]),
          role: token.owns === true && role === 'object' ? 'of' : role,
        });
      }
    }
  }
  terms.push(...selfIn(tokens, vocabulary), ...manyIn(tokens, vocabulary));
  const head = headOf(terms, vocabulary);
  const apposed = head === undefined ? undefined : terms[terms.indexOf(head) + 1];
  const isNamed = apposed !== undefined && apposed.role === head?.role && vocabulary.named(apposed.word) === 0;
  return { ...(head === undefined ? {} : { head }), terms, identified: identified || isNamed };
}

function isEach(before: Token | undefined): boolean {
  return before !== undefined && /^(every|each)$/.test(before.text);
}

/** `who am I`, `my profile`: the one who asks. */
function selfIn(tokens: readonly Token[], vocabulary: Vocabulary): readonly Term[] {
  const self = tokens.some(({ text }, place) => {
    const next = tokens[place + 1]?.text ?? '';
    return (text === 'am' && next === 'i') || (text === 'my' && /^(user|profile|account|identity|name)$/.test(next));
  });
  return self && vocabulary.named('me') > 0 ? [{ word: 'me', plural: false, role: 'object' }] : [];
}

const MANY = /^(several|many|multiple|two|three|four|five|six|seven|eight|nine|ten|dozen|bulk)$/;

function manyIn(tokens: readonly Token[], vocabulary: Vocabulary): readonly Term[] {
  const many = vocabulary.named('multiple') > 0 && tokens.some(({ text }) => MANY.test(text));
  return many ? [{ word: 'multiple', plural: true, role: 'context' }] : [];
}

/** `quickly` where a tool is named `quick_add`. */
export function mannersIn(tokens: readonly Token[], vocabulary: Vocabulary): readonly Term[] {
  return tokens.flatMap(({ text }) => {
    const word = text.replace(/ly$/, '');
    return word !== text && vocabulary.named(word) === 1 ? [{ word, plural: false, role: 'context' as const }] : [];
  });
}

function isSilent(text: string, isNamed: boolean): boolean {
  if (text === 'me' || text === 'myself') return true;
  if (determiners.has(text) || questionWords.has(text) || negations.has(text) || /^(and|or)$/.test(text)) return true;
  return !isNamed && (pronouns.has(text) || fillers.has(text) || /^\p{L}+ly$/u.test(text));
}

function isVerb(text: string): boolean {
  return verbForms(text).some((form) => groupsOf(form).length > 0);
}

/** A verb within the sentence, as in `files changed by`: it stands after a noun or `to`. */
function isSkipped(text: string, tokens: readonly Token[], place: number): boolean {
  const before = tokens[place - 1];
  return before?.text === 'to' && isVerb(text) && /(ed|ing)$/.test(text);
}

/**
 * The last noun of the object, as far as a tool knows it: `the column fax` is about a column, `the channel history` about a
 * history, and `the branch protection` too is about a protection, which no tool need know.
 */
function headOf(terms: readonly Term[], vocabulary: Vocabulary): Term | undefined {
  const object = terms.filter(({ role, implied }) => role === 'object' && implied !== true);
  const place = object.findLastIndex(({ word }) => vocabulary.named(word) > 0 || isCommonNoun(word));
  const head = object[place] ?? object.at(-1);
  const known = head !== undefined && vocabulary.named(head.word) > 0;
  const next = terms.find(({ role }) => role === 'of');
  if (head !== undefined && !(partitives.has(head.word) && (next !== undefined || !known))) return head;
  return next ?? terms.find(({ implied }) => implied === true) ?? head ?? terms.find(({ role }) => role === 'context');
}
