// Ranks capabilities by how well they serve a goal: one is accepted, several are ambiguous, or none serves.
import type { Declaration } from '../../contract/declaration.ts';
import { readGoal } from './goal.ts';
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
}

export interface RankOptions {
  /** What the first must be ahead by. */
  readonly margin?: number;
  /** What a candidate must reach to serve. */
  readonly threshold?: number;
  /** How alike two texts are, from 0 to 1; refines the scores of what serves at all. */
  readonly similarity?: (goal: string, text: string) => number;
  /** What experience adds to or takes from the score of what serves anyway, and destroys nothing. */
  readonly experience?: (name: string) => number;
}

const MARGIN = 0.1;
const THRESHOLD = 0.52;
const REFINEMENT = 0.25;

/** The order of the declarations plays no part. */
export function rankCapabilities(
  goal: string,
  declarations: readonly Declaration[],
  options: RankOptions = {},
): Ranking {
  const { margin = MARGIN, threshold = THRESHOLD } = options;
  const profiles = profilesOf(declarations);
  const vocabulary = vocabularyOf(profiles);
  const read = readGoal(goal, vocabulary);
  const ranked = profiles
    .map((profile) => {
      const { name } = profile.declaration;
      if (isNamed(name, goal)) return { name, score: 1, value: 1, raw: 2, does: true, reasons: ['named'], stops: [] };
      const scored = scoreOf(read, profile, vocabulary);
      const score = experienced(scored.vetoed, refined(scored, goal, profile, options), profile, threshold, options);
      return {
        name,
        score: scored.vetoed ? 0 : rounded(Math.min(1, score)),
        value: scored.vetoed ? 0 : score,
        raw: scored.vetoed ? score - 1 : score,
        does: scored.does,
        reasons: scored.reasons,
        stops: scored.stops,
      };
    })
    .sort((one, other) => other.raw - one.raw || (one.name < other.name ? -1 : 1));
  const [first, second] = ranked;
  const isExact = first?.raw === 2;
  const ahead =
    first === undefined
      ? 0
      : rounded(isExact ? first.score - (second?.score ?? 0) : first.value - (second?.value ?? 0));
  const verdict =
    first === undefined || first.score < threshold ? 'rejected' : ahead < margin ? 'ambiguous' : 'accepted';
  return { verdict, candidates: ranked.map(({ raw, value, ...candidate }) => candidate), margin: ahead };
}

function refined(
  { score, vetoed }: Score,
  goal: string,
  { declaration }: Profile,
  { similarity }: RankOptions,
): number {
  if (similarity === undefined || vetoed) return score;
  const alike = Math.min(1, Math.max(0, similarity(goal, likenessText(declaration))));
  return score * (1 - REFINEMENT) + alike * REFINEMENT;
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
