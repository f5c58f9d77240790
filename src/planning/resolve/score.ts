// How well a capability serves a goal, from 0 to 1, with what speaks for it and what stops it.
import type { Clause, Goal } from './goal.ts';
import { areSynonyms } from './lexicon/nouns.ts';
import { actNouns, areNear, classOf, groupsOf, isKindOf } from './lexicon/verbs.ts';
import { likeness } from './likeness.ts';
import type { Term } from './noun-phrase.ts';
import type { Profile } from './profile.ts';
import type { NameNoun, Verb } from './tool-name.ts';
import type { Vocabulary } from './vocabulary.ts';
import { partsOf, singular } from './words.ts';

export interface Score {
  readonly score: number;
  /** Its verb is the goal's, or means the same. */
  readonly does: boolean;
  readonly reasons: readonly string[];
  /** Empty when nothing but a better one stands in its way. */
  readonly stops: readonly string[];
  /** A conflict of reading, writing and destroying, or a verb that was ruled out: never to be chosen. */
  readonly vetoed: boolean;
}

export function scoreOf(goal: Goal, profile: Profile, vocabulary: Vocabulary): Score {
  const scores = goal.clauses.map((clause) => ofClause(clause, goal, profile, vocabulary));
  const best = scores.reduce((one, each) => (isBetter(each, one) ? each : one), scores[0] ?? nothing);
  const mean = sum(scores.map(({ score, vetoed }) => (vetoed ? 0 : score))) / Math.max(1, scores.length);
  return { ...best, score: (best.score * (1 - OTHERS) + mean * OTHERS) ** CONTRAST };
}

const nothing: Score = { score: 0, does: false, reasons: [], stops: ['the goal names nothing to do'], vetoed: false };

function isBetter(one: Score, other: Score): boolean {
  return one.vetoed === other.vetoed ? one.score > other.score : other.vetoed;
}

/** Sets apart what fits well from what fits nearly as well. */
const CONTRAST = 1.35;
/** What the other clauses count beside the one that fits best. */
const OTHERS = 0.2;
const weights = { goal: 0.57, name: 0.43 };
/** How well the verb of what destroys must fit. */
const SURE = 0.8;
/** From here on a verb means the same. */
const SAME = 0.9;
/** It is named for something that the goal does not speak of. */
const BESIDE = 0.9;
const UNALIGNED = 0.5;
/** Leaves room for what agreement adds. */
const ROOM = 0.93;

function ofClause(clause: Clause, goal: Goal, profile: Profile, vocabulary: Vocabulary): Score {
  const reasons: string[] = [];
  const stops: string[] = [];
  const veto = vetoOf(clause, goal, profile);
  const verb = alignment(clause, profile);
  const terms = [...clause.terms, ...goal.clauses.filter((other) => other !== clause).flatMap(elsewhere)];
  const covered = coverage(clause, terms, profile, vocabulary);
  const unneeded = profile.nouns.filter((noun) => askedFor(noun, terms, clause, profile, vocabulary) === 0);
  const all = sum(profile.nouns.map(({ weight }) => weight));
  const specific =
    all === 0
      ? 0.5
      : sum(profile.nouns.map((noun) => noun.weight * askedFor(noun, terms, clause, profile, vocabulary))) / all;
  const nouns = weights.goal * covered.share + weights.name * specific;
  let score = ROOM * nouns * (UNALIGNED + (1 - UNALIGNED) * verb);
  if (profile.nouns.some((noun) => noun.weight === 1 && unneeded.includes(noun))) score *= BESIDE;
  score += agreement(clause, profile);
  const head = clause.head;
  if (head !== undefined && covered.head === 0) {
    score *= 0.4;
    stops.push(`it is not about "${head.word}"`);
  }
  if (head !== undefined && covered.head < TOLD && vocabulary.named(head.word) >= TOLD) score *= BESIDE;
  if (profile.classes.has('destroy') && verb < SURE) {
    score *= STRANGER;
    stops.push('its verb is another one');
  }
  if (profile.classes.has('destroy') && !destroysTheRight(clause, profile, vocabulary)) {
    score *= 0.4;
    stops.push('it destroys something else');
  }
  const owner = profile.classes.has('destroy') ? clause.terms.find((term) => isStranger(term, vocabulary)) : undefined;
  if (owner !== undefined) {
    score *= STRANGER;
    stops.push(`nothing here has to do with "${owner.word}"`);
  }
  if (veto !== undefined) stops.push(veto);
  const does = verb >= SAME;
  if (does) reasons.push(`does what the verb "${clause.verbs[0]?.word}" asks`);
  if (covered.words.length > 0) reasons.push(`is about ${covered.words.map((word) => `"${word}"`).join(', ')}`);
  if (unneeded.length > 0) reasons.push(`also about ${unneeded.map(({ word }) => `"${word}"`).join(', ')}`);
  return { score: Math.min(1, Math.max(0, score)), does, reasons, stops, vetoed: veto !== undefined };
}

const ELSEWHERE = 'context';

function elsewhere(clause: Clause): readonly Term[] {
  return clause.terms.map((term) => ({ ...term, role: term.role === 'topic' ? 'topic' : ELSEWHERE }));
}

function vetoOf(clause: Clause, { forbidden }: Goal, { verbs, classes }: Profile): string | undefined {
  const groups = verbs.flatMap((verb) => verb.groups);
  if (groups.length > 0 && groups.every((group) => forbidden.has(group))) return `"${verbs[0]?.word}" is ruled out`;
  if (classes.size === 0) return undefined;
  if (clause.classes.size === 0)
    return classes.size === 1 && classes.has('destroy') ? 'the goal asks to destroy nothing' : undefined;
  if (!classes.isDisjointFrom(clause.classes)) return undefined;
  return `it would ${[...classes].join(' or ')}, the goal asks to ${[...clause.classes].join(' or ')}`;
}

/** The best of each verb of the clause with each of the capability. */
function alignment(clause: Clause, profile: Profile): number {
  const { verbs, told, choices } = profile;
  if (isOrder(clause, profile)) return ORDERED;
  if (clause.verbs.length === 0) return 0.6;
  if (verbs.length === 0) return 0.5;
  const said = clause.verbs.filter(({ makes, word }) => makes !== true || isNamedFor(word, profile));
  const best = (own: readonly Verb[]): number =>
    Math.max(0, ...said.flatMap((each) => own.map((verb) => closeness(each, verb))));
  if (clause.brought !== undefined && brings(clause)) {
    if (verbs.every(({ groups }) => groups.includes('create'))) return OTHER;
    if (profile.parameters.has(clause.brought.word) && verbs.some(({ groups }) => groups.includes('update')))
      return FILLED;
  }
  const chosen = clause.verbs.some(({ word }) => choices.has(word)) ? CHOSEN : 0;
  return Math.max(best(verbs), best(told) * 0.93, chosen, setsChoice(clause, profile) ? SETTING : 0);
}

/** To give a thing something is not to make such a thing. */
function brings({ verbs }: Clause): boolean {
  return verbs.some(({ groups }) => groups.includes('add') || groups.includes('set') || groups.includes('assign'));
}

/** `mark it as read`: it shall be what the input of the capability lists. */
function setsChoice({ verbs, terms }: Clause, { choices, classes }: Profile): boolean {
  const isSetting = verbs.some(({ groups }) => groups.includes('update') || groups.includes('set'));
  return isSetting && classes.has('write') && terms.some(({ word, role }) => role === 'context' && choices.has(word));
}

/** What the verb makes is what it is named for: `add_labels` where an issue shall be labelled. */
function isMade({ verbs }: Clause, profile: Profile): boolean {
  return verbs.some(({ makes, word }) => makes === true && isNamedFor(word, profile));
}

function isNamedFor(word: string, { nouns }: Profile): boolean {
  return nouns.some((noun) => likeness(word, noun.word) > 0);
}

/** What the goal says is a value that the input of what writes lists: `approve`, `request changes`. */
function isOrder({ verbs, head, terms }: Clause, { orders, classes }: Profile): boolean {
  const objects = [head, ...terms.filter(({ role }) => role === 'object')].map((term) => term?.word ?? '');
  return (
    classes.has('write') &&
    verbs.some(
      ({ word }) =>
        orders.has(partsOf(word).map(singular).join(' ')) || objects.some((object) => orders.has(`${word} ${object}`)),
    )
  );
}

const ORDERED = 0.9;
/** What is brought is a property of what the capability updates. */
const FILLED = 0.85;
/** What is set is a choice of the capability. */
const SETTING = 0.7;
/** A verb of the same class, and no more. */
const OTHER = 0.2;

/** The verb is a choice of the input: `approve` of a review. */
const CHOSEN = 0.6;

function closeness(said: Verb, own: Verb): number {
  if (said.word === own.word && (said.groups.length === 0 || said.groups.some((group) => own.groups.includes(group))))
    return 1;
  if (said.groups.some((group) => own.groups.includes(group))) return 0.92;
  if (said.groups.some((one) => own.groups.some((other) => isKindOf(one, other)))) return 0.72;
  if (said.groups.some((one) => own.groups.some((other) => areNear(one, other) || isKindOf(other, one)))) return 0.45;
  const classes = new Set(said.groups.map(classOf));
  if (own.groups.some((group) => classes.has(classOf(group)))) return OTHER;
  return said.groups.length === 0 ? 0.3 : 0;
}

interface Coverage {
  readonly share: number;
  readonly head: number;
  readonly words: readonly string[];
}

function coverage(clause: Clause, terms: readonly Term[], profile: Profile, vocabulary: Vocabulary): Coverage {
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
const ALIAS = 0.85;
const TOLD = 0.75;
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

/** What another tool is named for is no other word for this. */
function named(word: string, noun: NameNoun, vocabulary: Vocabulary): number {
  if (vocabulary.isNoun(word) && areSynonyms(word, noun.word)) return word === noun.word ? 1 : 0;
  return Math.max(
    likeness(word, noun.word),
    ALIAS * Math.max(0, ...[...noun.aliases].map((alias) => likeness(word, alias))),
  );
}

/** 1 for what the goal is about or for what narrows it, less for what only surrounds it. */
function askedFor(
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

/** That one is asked for, and all would come. */
const MANY_FOR_ONE = -0.07;

/** One or many, this one or any: what tells `get_issue` from `list_issues`. */
function agreement({ head, identified, verbs }: Clause, { nouns, identifies }: Profile): number {
  const last = nouns.findLast(({ weight }) => weight === 1) ?? nouns.at(-1);
  if (head === undefined || last === undefined) return 0;
  const isRead = verbs.some(({ groups }) => groups.includes('get') || groups.includes('list'));
  const number = head.plural === last.plural ? 0.05 : -0.05;
  if (!isRead) return number * 0.8;
  if (identified && !head.plural) return number + (identifies ? 0.02 : last.plural ? MANY_FOR_ONE : -0.04);
  return head.plural ? number + (identifies ? -0.04 : 0.02) : number;
}

/** What a destroying capability is named for must be what the goal is about. */
function destroysTheRight({ head, nameless }: Clause, { nouns }: Profile, vocabulary: Vocabulary): boolean {
  const last = nouns.findLast(({ weight }) => weight === 1) ?? nouns.at(-1);
  if (head === undefined) return nameless && last === undefined;
  return last === undefined || named(head.word, last, vocabulary) > 0;
}

/** To destroy what belongs to something that no tool has heard of is more than a guess may do. */
const STRANGER = 0.7;

function isStranger({ word, role }: Term, vocabulary: Vocabulary): boolean {
  return role === 'of' && vocabulary.named(word) === 0 && vocabulary.said(word) === 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
