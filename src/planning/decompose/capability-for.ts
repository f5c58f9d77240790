// Which of the granted capabilities a task calls.
import { type Declaration, isMutating } from '../../contract/declaration.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import type { Chosen } from '../intent.ts';
import { experienceOf, type Learned, provenFor, type Tally } from '../learned.ts';
import {
  type Alike,
  type Candidate,
  comparable,
  type Ranking,
  type RankOptions,
  rankCapabilities,
} from '../resolve/rank.ts';
import type { Around } from './around.ts';
import { shapeOfIntent } from './shape.ts';
import type { Task } from './task.ts';

type Choices = Pick<Around, 'capabilities' | 'learned' | 'alike'>;

export type Found =
  | { readonly kind: 'one'; readonly capability: CapabilityLine; readonly chosen: Chosen }
  /** None of them is ahead of the others: a person says which. */
  | ({ readonly kind: 'several'; readonly names: readonly string[]; readonly chosen: Chosen } & Open)
  | ({ readonly kind: 'none'; readonly nearest: readonly string[] } & Open);

interface Open {
  /** Whom to compare the task with, best first; nobody where nothing may serve. */
  readonly open: readonly string[];
}

const NEAR = 0.1;
const SHOWN = 3;

/**
 * The first that it names outright, else what serves its words best. What has served such a task before goes before a
 * question; where nothing serves by the words, only if it changes nothing outside the run.
 */
export function capabilityFor(task: Task, { capabilities, learned, alike }: Choices): Found {
  const named = namedBy(task, capabilities);
  if (named !== undefined) return { kind: 'one', capability: named, chosen: { by: 'named', capability: named.name } };
  const declared = capabilities.map((each) => ({ ...each, tags: [], cost: {} }));
  const experience = (name: string): number => experienceOf(tallyOf(learned, name));
  const { verdict, candidates, margin } = rankingOf(task, declared, { experience }, alike?.get(task.description));
  const shown = candidates
    .slice(0, SHOWN)
    .map(({ name, score, alike: cosine }) => ({ name, score, ...(cosine === undefined ? {} : { alike: cosine }) }));
  const told = shown.flatMap(({ name }) => toldOf(learned, name));
  const how = { margin, candidates: shown, ...(told.length === 0 ? {} : { learned: told.join('; ') }) };
  const [first] = candidates;
  const best = capabilities.find(({ name }) => name === first?.name);
  if (best !== undefined && verdict === 'accepted')
    return {
      kind: 'one',
      capability: best,

      chosen: { by: 'ranked', capability: best.name, ...how },
    };
  const proven = provenFor(learned, shapeOfIntent(task.description));
  const served = candidates.find(({ name, score }) => name === proven && score > 0);
  const again = capabilities.find(({ name }) => name === served?.name);
  if (again !== undefined && (verdict === 'ambiguous' || !isMutating(again)))
    return {
      kind: 'one',
      capability: again,

      chosen: { by: 'proven', capability: again.name, ...how },
    };
  if (first === undefined || best === undefined || verdict === 'rejected')
    return { kind: 'none', nearest: nearest(candidates), open: comparable(candidates) };
  const names = candidates.filter(({ score }) => first.score - score < NEAR).map(({ name }) => name);
  return { kind: 'several', names, chosen: { by: 'person', ...how }, open: comparable(candidates) };
}

/** Where words do not decide, how alike the task and capabilities are. */
function rankingOf(
  task: Task,
  declared: readonly Declaration[],
  options: RankOptions,
  alike: Alike | undefined,
): Ranking {
  const byWords = rankingByWords(task, declared, options);
  if (alike === undefined || byWords.verdict === 'accepted') return byWords;
  return rankCapabilities(task.description, declared, { ...options, alike });
}

/** Where the words do not say it, what a file or a link is does: to profile `orders.csv` is about CSV. */
function rankingByWords(task: Task, declared: readonly Declaration[], options: RankOptions): Ranking {
  const plain = rankCapabilities(task.description, declared, options);
  const kinds = mentionedKinds(task);
  if (isSure(plain) || kinds.length === 0) return plain;
  const spelt = rankCapabilities(`${task.description} (${kinds.join(' ')})`, declared, options);
  return isSure(spelt) ? spelt : plain;
}

function isSure({ verdict, candidates }: Ranking): boolean {
  return verdict === 'accepted' && candidates[0]?.does === true;
}

/** What kinds of files have in the names of capabilities. */
const kindOf: Readonly<Record<string, string>> = {
  tsv: 'csv',
  jsonl: 'json',
  ndjson: 'json',
  log: 'text',
  md: 'text',
  txt: 'text',
  db: 'sql',
  sqlite: 'sql',
};

function mentionedKinds({ parameters: { paths = [], links = [] } }: Task): readonly string[] {
  const ends = paths.flatMap((path) => /\.([a-z]{2,6})$/i.exec(path)?.[1]?.toLowerCase() ?? []);
  const kinds = ends.map((end) => (Object.hasOwn(kindOf, end) ? (kindOf[end] ?? end) : end));
  return [...new Set([...kinds, ...(links.length > 0 ? ['http'] : [])])];
}

function tallyOf(learned: Learned | undefined, name: string): Tally | undefined {
  return Object.hasOwn(learned?.capabilities ?? {}, name) ? learned?.capabilities[name] : undefined;
}

function toldOf(learned: Learned | undefined, name: string): readonly string[] {
  const tally = tallyOf(learned, name);
  return tally === undefined ? [] : [`${name} succeeded ${tally.succeeded} times of ${tally.tries}`];
}

export function namedBy({ names }: Task, capabilities: readonly CapabilityLine[]): CapabilityLine | undefined {
  const [name] = names;
  return capabilities.find((each) => each.name === name);
}

function nearest(candidates: readonly Candidate[]): readonly string[] {
  return candidates
    .filter(({ score }) => score > 0)
    .slice(0, SHOWN)
    .map(({ name }) => name);
}
