// How well a capability serves a goal, from 0 to 1, with what speaks for it and what stops it.
import { alignment } from './alignment.ts';
import { askedFor, coverage, sum, TOLD } from './coverage.ts';
import type { Clause, Goal } from './goal.ts';
import type { Term } from './head.ts';
import { areSame, areSynonyms } from './lexicon/nouns.ts';
import { named } from './named.ts';
import type { Profile } from './profile.ts';
import type { Vocabulary } from './vocabulary.ts';

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
  const verb = alignment(clause, profile, vocabulary);
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

/** That one is asked for, and all would come. */
const MANY_FOR_ONE = -0.07;

/** One or many, this one or any: what tells `get_issue` from `list_issues`. */
function agreement({ head, identified, verbs }: Clause, { nouns, identifies }: Profile): number {
  const last = nouns.findLast(({ weight }) => weight === 1) ?? nouns.at(-1);
  if (head === undefined || last === undefined) return 0;
  const isRead = verbs.some(({ groups }) => groups.includes('get') || groups.includes('list'));
  const number = head.plural === last.plural ? 0.05 : -0.05;
  if (!isRead) return identified && !head.plural && last.plural ? number : number * 0.8;
  if (identified && !head.plural) return number + (identifies ? 0.02 : last.plural ? MANY_FOR_ONE : -0.04);
  return head.plural ? number + (identifies ? -0.04 : last.plural ? 0.02 : 0) : number;
}

/** What a destroying capability is named for must be what the goal is about. */
function destroysTheRight({ head, nameless }: Clause, { nouns }: Profile, vocabulary: Vocabulary): boolean {
  const last = nouns.findLast(({ weight }) => weight === 1) ?? nouns.at(-1);
  if (head === undefined) return nameless && last === undefined;
  if (last === undefined) return true;
  const isRelated = areSynonyms(head.word, last.word) && !areSame(head.word, last.word);
  return named(head.word, last, vocabulary) > 0 && !isRelated;
}

/** To destroy what belongs to something that no tool has heard of is more than a guess may do. */
const STRANGER = 0.7;

function isStranger({ word, role }: Term, vocabulary: Vocabulary): boolean {
  return role === 'of' && vocabulary.named(word) === 0 && vocabulary.said(word) === 0;
}
