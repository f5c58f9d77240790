// How a clause begins: an order with its verb, a question, a wish, or the bare thing; and what is left to be read for nouns.
import { knownVerb } from './clauses.ts';
import {
  auxiliaries,
  determiners,
  indefinite,
  makers,
  prepositions,
  questionWords,
  wishes,
} from './lexicon/function-words.ts';
import { collectives } from './lexicon/nouns.ts';
import { actNouns, classOf, groupsOf, kinOf, knownVerbs, lightVerbs, nounLike, phrases } from './lexicon/verbs.ts';
import { isSlip } from './likeness.ts';
import { ASKED, BY, type Opening, ofComparison, ofQuestion, wordOf } from './question.ts';
import type { Token } from './tokens.ts';
import type { Verb } from './tool-name.ts';
import type { Vocabulary } from './vocabulary.ts';
import { isPlural, singular, verbForms } from './words.ts';

export function openingOf(tokens: readonly Token[], vocabulary: Vocabulary): Opening {
  const [first, second] = tokens;
  if (first?.kind !== 'word') return bare(tokens);
  const compared = ofComparison(tokens, vocabulary);
  if (compared !== undefined) return compared;
  const wish = wishes.find((words) => words.every((word, place) => tokens[place]?.text === word));
  if (wish !== undefined) return ofWish(tokens.slice(wish.length));
  if (questionWords.has(first.text)) return ofQuestion(first.text, tokens.slice(1), vocabulary);
  const isSubject = /^(we|i|you|they|he|she|it|people)$/.test(second?.text ?? '');
  const asks = auxiliaries.has(first.text) && (isSubject || !/^(do|have|get|got)/.test(first.text));
  if (asks) return { verbs: [ASKED], rest: tokens.slice(1), question: true };
  const isPair = second?.kind === 'word' && vocabulary.isPair(singular(first.text), singular(second.text));
  return isPair || determiners.has(first.text) ? bare(tokens) : ofOrder(tokens, vocabulary);
}

/** `open pull requests`, and no word of what to do with them: they are to be shown. */
function bare(tokens: readonly Token[]): Opening {
  return { verbs: [ASKED], rest: tokens, bare: true };
}

function ofWish(rest: readonly Token[]): Opening {
  const maker = rest.slice(0, 4).find(({ text }) => makers.has(text))?.text;
  if (maker === undefined) return bare(rest);
  const isNew = maker === 'new' || maker === 'fresh';
  return { verbs: [isNew ? { word: 'create', groups: ['create'] } : { word: 'add', groups: ['add'] }], rest };
}

function ofOrder(tokens: readonly Token[], vocabulary: Vocabulary): Opening {
  const [first, second] = tokens;
  if (first === undefined) return bare(tokens);
  const phrase = madeOf(tokens, vocabulary) ?? phraseAt(tokens, vocabulary);
  if (phrase !== undefined) return phrase;
  const own = verbForms(first.text).find((form) => groupsOf(form).length === 0 && vocabulary.isVerb(form));
  const known = own ?? knownVerb(first.text) ?? (lightVerbs.has(first.text) ? first.text : undefined);
  const isNoun = vocabulary.named(singular(first.text)) > 0;
  if (isNoun && isPlural(first.text) && prepositions.has(second?.text ?? '')) return bare(tokens);
  const gathers = collectives.has(second?.text ?? '') || /^(details|info|status|count)$/.test(second?.text ?? '');
  if (isNoun && gathers) return bare(tokens);
  if (known !== undefined && !(isNoun && nounLike.has(known) && second === undefined))
    return ofVerb(known, tokens, vocabulary);
  if (isNoun) return ofNoun(tokens);
  const slip = knownVerbs.find((verb) => isSlip(first.text, verb));
  if (slip !== undefined) return ofVerb(slip, tokens, vocabulary);
  const takes =
    second === undefined || second.kind !== 'word' || determiners.has(second.text) || makers.has(second.text);
  if (!takes && vocabulary.named(singular(second.text)) === 0) return bare(tokens);
  return { verbs: [{ word: first.text, groups: [] }], rest: tokens.slice(1) };
}

function ofVerb(verb: string, tokens: readonly Token[], vocabulary: Vocabulary): Opening {
  const rest = tokens.slice(1);
  // One makes a comment, but gets one that is there.
  const isThere = (word: string): boolean => verb === 'get' && vocabulary.isNoun(word);
  const acts = lightVerbs.has(verb)
    ? rest.flatMap((token, at) => (isThere(token.text) ? [] : actIn(token, rest[at - 1], vocabulary)))
    : [];
  const thing = [verb, ...kinOf(verb)].find((word) => isThing(word, vocabulary));
  const asked = rest.findIndex(({ text }) => !/^(me|us)$/.test(text));
  const question = rest[asked]?.text ?? '';
  if (groupsOf(verb).includes('get') && questionWords.has(question))
    return ofQuestion(question, rest.slice(asked + 1), vocabulary);
  const sought = groupsOf(verb).includes('search') ? soughtIn(rest, vocabulary) : undefined;
  if (sought !== undefined) return { verbs: [{ word: verb, groups: groupsOf(verb) }], rest: sought };
  // `report that the button is broken`
  const isReport = verb === 'report' && rest[0]?.text === 'that' && vocabulary.named('issue') > 0;
  if (isReport)
    return {
      verbs: [{ word: 'create', groups: ['create'] }],
      rest: [wordOf('issue'), wordOf('about'), ...rest.slice(1)],
    };
  const groups = becomes(verb, rest, vocabulary) ? ['update'] : groupsFor(verb, rest);
  // To open a thing that is not there yet is to create it, and has nothing to do with what is open already.
  const isMaking = groups.length < groupsOf(verb).length && groups.every((group) => group === 'create');
  const isOffered = thing !== undefined || vocabulary.isVerb(verb);
  const acting =
    isOffered && !rest.some(({ text }) => isPlural(text)) ? groups.filter((group) => classOf(group) !== 'read') : [];
  const own: Verb = { word: isMaking ? 'create' : verb, groups: acting.length > 0 ? acting : groups };
  const made: readonly Verb[] = thing === undefined ? [] : [{ word: thing, groups: ['add', 'create'], makes: true }];
  const verbs = acts.some(({ word }) => vocabulary.isAct(word)) ? acts : [own, ...made, ...acts];
  // What the verb is named for counts as said: `comment on the issue` asks for a comment.
  const named = thing ?? (vocabulary.named(singular(verb)) > 0 ? verb : undefined);
  return { verbs, rest: named === undefined ? rest : [...rest, BY, wordOf(named)] };
}

/** `search across the projects for issues`: what is looked for comes first, and where after it. */
function soughtIn(rest: readonly Token[], vocabulary: Vocabulary): readonly Token[] | undefined {
  const place = rest.findIndex(({ text }) => text === 'for');
  const thing = rest.slice(place + 1).find(({ text }) => !determiners.has(text));
  if (place < 1 || !prepositions.has(rest[0]?.text ?? '') || thing?.kind !== 'word') return undefined;
  if (vocabulary.named(singular(thing.text)) < 1) return undefined;
  return [...rest.slice(place + 1), wordOf('in'), ...rest.slice(1, place)];
}

/** `make the folder private`: what is there already shall be otherwise, as its contract has a word for. */
function becomes(verb: string, rest: readonly Token[], vocabulary: Vocabulary): boolean {
  const [first, last] = [rest[0], rest.at(-1)];
  if (!/^(make|turn|convert)$/.test(verb) || !/^(the|this|that|my|our)$/.test(first?.text ?? '')) return false;
  if (last?.kind !== 'word' || rest.length < 3) return false;
  const before = rest.at(-2)?.text ?? '';
  const isState = vocabulary.says(last.text) && vocabulary.named(last.text) === 0;
  return isState && (!prepositions.has(before) || before === 'to') && !isPlural(last.text);
}

/** Doing it makes the thing that some tool is named for. */
function isThing(verb: string, vocabulary: Vocabulary): boolean {
  const groups = groupsOf(verb);
  const named = vocabulary.named(singular(verb));
  const isWrite = groups.some((group) => classOf(group) === 'write');
  return named > 0 && !vocabulary.isVerb(verb) && (named === 1 || !groups.includes('update')) && isWrite;
}

/** `track the crash as a new issue`: what shall come to be stands behind, and before it what it is about. */
function madeOf(tokens: readonly Token[], vocabulary: Vocabulary): Opening | undefined {
  const place = tokens.findIndex(
    ({ text }, at) =>
      text === 'as' && /^(a|an|another)$/.test(tokens[at + 1]?.text ?? '') && tokens[at + 2]?.text === 'new',
  );
  const thing = tokens[place + 3];
  if (place < 1 || thing?.kind !== 'word' || vocabulary.named(singular(thing.text)) === 0) return undefined;
  const about = tokens.slice(1, place);
  return {
    verbs: [{ word: 'create', groups: ['create'] }],
    rest: [...tokens.slice(place + 1), wordOf('about'), ...about],
  };
}

/** A noun that says what a light verb does: a copy, a search. */
function actIn({ text }: Token, before: Token | undefined, vocabulary: Vocabulary): readonly Verb[] {
  const isAct =
    (actNouns.has(text) || vocabulary.isVerb(text)) && determiners.has(before?.text ?? '') && groupsOf(text).length > 0;
  return isAct ? [{ word: text, groups: groupsOf(text) }] : [];
}

/** What one opens, raises or puts somewhere is new when it is `a` thing, and there already when it is `the` thing. */
function groupsFor(verb: string, rest: readonly Token[]): readonly string[] {
  const groups = groupsOf(verb);
  if (verb === 'tell') return /^(me|us)$/.test(rest[0]?.text ?? '') ? ['get', 'list'] : ['send'];
  const from = rest.findIndex(({ text }) => text === 'from');
  const isSpan = from > 0 && rest.slice(from).some(({ text }) => /^(to|into|onto)$/.test(text));
  // `open a request`, and `open request "Add x" from one to the other`, which cannot be there yet either.
  const isNew = indefinite.has(rest[0]?.text ?? '') || (isSpan && !determiners.has(rest[0]?.text ?? ''));
  if (isNew && groups.includes('add')) return ['create', 'add'];
  if (groups.includes('write') && rest.slice(0, 2).some(({ text }) => text === 'new')) return ['create', 'write'];
  if (isNew && groups.includes('run')) return ['create', 'run'];
  // To save into something is to write it, to save from something to read it.
  const isInto = rest.some(({ text }) => /^(to|into|in|as)$/.test(text));
  if (groups.includes('download') && groups.includes('write') && isInto)
    return groups.filter((group) => classOf(group) !== 'read');
  if (!groups.includes('create') || !groups.some((group) => group === 'get' || group === 'update' || group === 'run'))
    return groups;
  return isNew ? ['create'] : groups.filter((group) => group !== 'create');
}

/** `branch off main`: the thing that shall come to be stands for the making of it. */
function ofNoun(tokens: readonly Token[]): Opening {
  const [, second] = tokens;
  const acts =
    second?.kind === 'value' ||
    determiners.has(second?.text ?? '') ||
    /^(off|on|to|it|for|me|us|him|her|them)$/.test(second?.text ?? '');
  return acts ? { verbs: [{ word: tokens[0]?.text ?? '', groups: ['create', 'add'] }], rest: tokens } : bare(tokens);
}

/** A phrase whose words stand together, or around its object. */
function phraseAt(tokens: readonly Token[], vocabulary: Vocabulary): Opening | undefined {
  for (const { words } of phrases) {
    const gap = words.indexOf('…');
    const before = gap < 0 ? words : words.slice(0, gap);
    const after = gap < 0 ? [] : words.slice(gap + 1);
    if (!before.every((word, place) => isForm(tokens[place]?.text ?? '', word, place))) continue;
    const place = after.length === 0 ? before.length : placeOf(tokens, after, before.length + 1);
    if (place < 0) continue;
    const kept = after.filter((word) => prepositions.has(word) || vocabulary.named(word) > 0);
    return {
      verbs: [{ word: words.join(' '), groups: groupsOfPhrase(words) }],
      rest: [...tokens.slice(before.length, place), ...kept.map(wordOf), ...tokens.slice(place + after.length)],
    };
  }
  return undefined;
}

function isForm(said: string, word: string, place: number): boolean {
  return place === 0 ? verbForms(said).includes(word) : said === word;
}

function groupsOfPhrase(words: readonly string[]): readonly string[] {
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
