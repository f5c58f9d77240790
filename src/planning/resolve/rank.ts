// Ranks capabilities by how well they serve a goal: one is accepted, several are ambiguous, or none serves.
import type { Declaration } from '../../contract/declaration.ts';
import { readGoal } from './goal.ts';
import { isNamedInsteadOf, isOutdated } from './outdated.ts';
import { type Profile, profilesOf } from './profile.ts';
import { type Score, scoreOf } from './score.ts';
import { vocabularyOf } from './vocabulary.ts';
import { partsOf } from './words.ts';

export interface Candidate {
  readonly name: string;
  /** From 0 to 1. A vetoed one has 0. */
  readonly score: number;
  /** Its verb is the goal's, or means the same. */
  readonly does: boolean;
  /** Where words did not decide: how alike it and the goal are, by embeddings; its score has that in it. */
  readonly alike?: number;
  readonly reasons: readonly string[];
  /** What keeps it from being chosen. */
  readonly stops: readonly string[];
}

export interface Ranking {
  /** `accepted`: the first candidate serves, and no other nearly as well; `ambiguous`: several do; `rejected`: none does. */
  readonly verdict: 'accepted' | 'ambiguous' | 'rejected';
  /** The best first; those of equal scores by name. */
  readonly candidates: readonly Candidate[];
  /** How far the first is ahead of the second. */
  readonly margin: number;
  /** The one that serves, where one does. */
  readonly accepted?: string;
  /** Those between which the goal does not decide, the best first; empty unless the verdict is `ambiguous`. */
  readonly ambiguous: readonly string[];
}

export interface RankOptions {
  /** What the first must be ahead by; half of it is enough where the second would not serve. */
  readonly margin?: number;
  /** What a candidate must reach to serve. */
  readonly threshold?: number;
  /**
   * How alike the goal and each of these are, by name: refines the scores where words do not decide. It lifts no veto and
   * nothing that destroys, and what serves by its words serves still.
   */
  readonly alike?: Alike;
  /** What experience adds to or takes from the score of what serves anyway, and destroys nothing. */
  readonly experience?: (name: string) => number;
}

/** Cosines by the names of capabilities. */
export type Alike = Readonly<Record<string, number>>;

/** What the first must be ahead by, unless said. */
const MARGIN = 0.1;
const THRESHOLD = 0.52;
/** What it counts to be as alike as can be: less than it takes to serve. */
const REFINEMENT = 0.5;

/** The order of the declarations plays no part. */
export function rankCapabilities(
  goal: string,
  declarations: readonly Declaration[],
  options: RankOptions = {},
): Ranking {
  const { margin = MARGIN, threshold = THRESHOLD, alike } = options;
  const profiles = profilesOf(declarations);
  const vocabulary = vocabularyOf(profiles);
  const read = readGoal(goal, vocabulary);
  const scored = profiles.map((profile): Scored => {
    const { name } = profile.declaration;
    const isExact = isNamed(name, goal);
    return { profile, isExact, ...(isExact ? named : scoreOf(read, profile, vocabulary)) };
  });
  const ranked = (all: readonly Scored[]): Ranking =>
    rankingOf(outdatedBehind(all, margin, threshold), margin, threshold, options);
  const byWords = ranked(scored);
  if (alike === undefined || byWords.verdict === 'accepted') return byWords;
  return ranked(refined(scored, alike, threshold));
}

interface Scored extends Score {
  readonly profile: Profile;
  readonly isExact: boolean;
  readonly alike?: number;
}

const named: Score = { score: 1, does: true, reasons: ['named'], stops: [], vetoed: false };

function rankingOf(scored: readonly Scored[], margin: number, threshold: number, options: RankOptions): Ranking {
  const ranked = scored
    .map(({ profile, isExact, vetoed, score: words, alike, does, reasons, stops }) => {
      const score = isExact ? 1 : experienced(vetoed, words, profile, threshold, options);
      const candidate = {
        name: profile.declaration.name,
        score: vetoed ? 0 : rounded(Math.min(1, score)),
        does,
        ...(alike === undefined ? {} : { alike: rounded(alike) }),
        reasons,
        stops,
      };
      return { candidate, isExact, value: vetoed ? 0 : score, raw: isExact ? 2 : vetoed ? score - 1 : score };
    })
    .sort((one, other) => other.raw - one.raw || (one.candidate.name < other.candidate.name ? -1 : 1));
  const [first, second] = ranked;
  const candidates = ranked.map(({ candidate }) => candidate);
  if (first === undefined) return { verdict: 'rejected', candidates, margin: 0, ambiguous: [] };
  const ahead = rounded(
    first.value - (second === undefined ? 0 : first.isExact ? second.candidate.score : second.value),
  );
  if (first.candidate.score < threshold) return { verdict: 'rejected', candidates, margin: ahead, ambiguous: [] };
  const { name } = first.candidate;
  // One that does not serve by itself is less of a rival.
  const isRival = second !== undefined && second.candidate.score >= threshold;
  if (ahead >= (isRival ? margin : margin / 2))
    return { verdict: 'accepted', accepted: name, candidates, margin: ahead, ambiguous: [] };
  const near = ranked.filter(({ value }) => rounded(first.value - value) < margin);
  return { verdict: 'ambiguous', candidates, margin: ahead, ambiguous: near.map(({ candidate }) => candidate.name) };
}

/** How far apart what is outdated and what serves in its place may be. */
const NEAR = 0.2;

/** What says that it is outdated gives its place to the best that serves nearly as well, the one that it names before others. */
function outdatedBehind(scored: readonly Scored[], margin: number, threshold: number): readonly Scored[] {
  const now = new Map(scored.map((each) => [each.profile.declaration.name, each.score]));
  const of = ({ profile }: Scored): number => now.get(profile.declaration.name) ?? 0;
  const serves = (each: Scored): boolean => !each.vetoed && each.score >= threshold;
  const old = scored.filter((each) => serves(each) && !each.isExact && isOutdated(each.profile.declaration));
  for (const each of old.toSorted((one, other) => other.score - one.score || byName(one, other))) {
    const [next] = scored
      .filter((other) => serves(other) && !old.includes(other) && other.score > each.score - NEAR)
      .map((other) => ({ other, isNamed: isNamedInsteadOf(other.profile.declaration, each.profile.declaration) }))
      .toSorted(
        (one, two) =>
          Number(two.isNamed) - Number(one.isNamed) || of(two.other) - of(one.other) || byName(one.other, two.other),
      );
    if (next === undefined) continue;
    const { other } = next;
    // What destroys is never chosen because of another.
    const best = other.profile.classes.has('destroy') ? of(other) : Math.max(of(other), each.score);
    now.set(each.profile.declaration.name, Math.min(each.score, of(other), best - margin));
    now.set(other.profile.declaration.name, best);
  }
  if (old.length === 0) return scored;
  return scored.map((each) => ({
    ...each,
    score: of(each),
    stops: old.includes(each) && of(each) < each.score ? [...each.stops, 'it is outdated'] : each.stops,
  }));
}

function byName({ profile: one }: Scored, { profile: other }: Scored): number {
  return one.declaration.name < other.declaration.name ? -1 : 1;
}

/** Embedders differ in what is usual between any two texts, so that only what is beyond that counts. */
function refined(scored: readonly Scored[], alike: Alike, threshold: number): readonly Scored[] {
  const known = scored.flatMap(({ profile }) => alikeOf(profile, alike) ?? []).sort((one, other) => one - other);
  const usual = known.reduce((sum, each) => sum + each, 0) / Math.max(1, known.length);
  return scored.map((each) => {
    const cosine = alikeOf(each.profile, alike);
    if (cosine === undefined || each.vetoed || each.isExact) return each;
    const beyond = usual < 1 ? (cosine - usual) / (1 - usual) : 0;
    const score = each.score + REFINEMENT * Math.max(-1, beyond);
    const least = each.score >= threshold ? threshold : 0;
    const most = each.profile.classes.has('destroy') ? each.score : Number.POSITIVE_INFINITY;
    return { ...each, alike: cosine, score: Math.min(most, Math.max(least, score)) };
  });
}

function alikeOf({ declaration }: Profile, alike: Alike): number | undefined {
  return Object.hasOwn(alike, declaration.name) ? alike[declaration.name] : undefined;
}

function experienced(
  vetoed: boolean,
  score: number,
  { declaration, classes }: Profile,
  threshold: number,
  { experience }: RankOptions,
): number {
  if (experience === undefined || vetoed || score < threshold || classes.has('destroy')) return score;
  return Math.max(threshold, score + experience(declaration.name));
}

/** Of a longer list the rest would only tell more closely what is usual. */
const COMPARED = 40;

/** Whom to compare a goal with that words do not decide: nobody where nothing may serve. Those that may not say what is usual. */
export function comparable(candidates: readonly Candidate[]): readonly string[] {
  const names = candidates.slice(0, COMPARED).map(({ name }) => name);
  return candidates.some(({ score }) => score > 0) ? names : [];
}

/** What a goal is compared with. */
export function likenessText({ name, description }: Pick<Declaration, 'name' | 'description'>): string {
  return `${partsOf(name).join(' ')}: ${description}`;
}

function isNamed(name: string, goal: string): boolean {
  const trimmed = goal.trim();
  if (trimmed === name) return true;
  const isPlainWord = /^\p{L}+$/u.test(name);
  return (
    !isPlainWord && trimmed.split(/[\s"'`,;:?!()]+/).some((word) => word === name || word.replace(/\.$/, '') === name)
  );
}

function rounded(score: number): number {
  return Math.round(score * 1000) / 1000;
}
