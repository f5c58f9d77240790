// Chooses the sample of a long list: first items, and outliers that each stand out in a different column.
import { isJsonArray, isJsonObject, type Json } from '../../base/json.ts';
import type { Column } from './columns.ts';
import { isId, medianOf } from './value-summary.ts';

/** In a column with more distinct values than this, no value counts as rare. */
const MOST_CHOICES = 12;
/** The cap of a score, so that one extreme number does not outweigh all other columns. */
const HIGHEST = 12;
/** The number of outliers among which the sample is chosen. */
const MOST_ODD = 200;
/** The most fields of an item that are shown before its others. */
const MOST_LEADS = 3;
/** The number of outliers between two items that are chosen by position. */
const ODD_BETWEEN = 2;

/** The score of each item in one column: how far it stands out. */
interface ColumnScores {
  /** The name of the column. */
  readonly name: string;
  readonly scores: readonly number[];
}

/** Paths to the fields in which an item stands out, highest score first. */
export function leadsOf(index: number, columns: readonly ColumnScores[]): readonly (readonly string[])[] {
  const odd = columns.filter(({ scores }) => (scores[index] ?? 0) > 0);
  const ranked = odd.toSorted((a, b) => (b.scores[index] ?? 0) - (a.scores[index] ?? 0));
  return ranked.slice(0, MOST_LEADS).map(({ name }) => name.split('.'));
}

/** Indexes of at most `most` items: the first item, two outliers, the second item, two outliers, and so on. */
export function sampleIndexes(count: number, most: number, columns: readonly ColumnScores[]): readonly number[] {
  const odd = oddest(count, most, columns);
  const chosen = new Set<number>();
  const wanted = Math.min(most, count);
  for (let turn = 0; chosen.size < wanted; turn += 1) {
    chosen.add(turn);
    for (const index of odd.slice(turn * ODD_BETWEEN, (turn + 1) * ODD_BETWEEN)) {
      if (chosen.size < wanted) chosen.add(index);
    }
  }
  return [...chosen];
}

/** Greedy choice of outliers: a column's score counts half for each item already chosen for it. */
function oddest(count: number, most: number, columns: readonly ColumnScores[]): readonly number[] {
  const sums = Array.from({ length: count }, (_, at) =>
    columns.reduce((sum, { scores }) => sum + (scores[at] ?? 0), 0),
  );
  let left = sums
    .map((sum, index) => ({ sum, index }))
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum || a.index - b.index)
    .slice(0, MOST_ODD)
    .map(({ index }) => index);
  const worth = columns.map(() => 1);
  const chosen: number[] = [];
  while (chosen.length < most && left.length > 0) {
    const worthOf = (index: number) =>
      columns.reduce((sum, { scores }, at) => sum + (scores[index] ?? 0) * (worth[at] ?? 0), 0);
    let best = left[0] ?? 0;
    let bestWorth = worthOf(best);
    for (const index of left) {
      const other = worthOf(index);
      if (other > bestWorth) [best, bestWorth] = [index, other];
    }
    chosen.push(best);
    left = left.filter((index) => index !== best);
    columns.forEach(({ scores }, at) => {
      if ((scores[best] ?? 0) > 0) worth[at] = (worth[at] ?? 0) / 2;
    });
  }
  return chosen;
}

/** Scores of each column that can tell outliers; identifiers cannot. */
export function outlierScores(
  count: number,
  columns: readonly Pick<Column, 'name' | 'guide' | 'values' | 'owners'>[],
): readonly ColumnScores[] {
  return columns.flatMap(({ name, guide, values, owners }) => {
    if (isId(guide)) return [];
    const lacking = count - new Set(owners).size;
    const score = scoreFor(values, lacking);
    if (score === undefined) return [];
    const scores = Array.from<number>({ length: count }).fill(lacking === 0 ? 0 : Math.min(HIGHEST, score(undefined)));
    const told = new Uint8Array(count);
    values.forEach((value, at) => {
      const owner = owners[at] ?? 0;
      const own = Math.min(HIGHEST, score(value));
      scores[owner] = told[owner] === 1 ? Math.max(scores[owner] ?? 0, own) : own;
      told[owner] = 1;
    });
    return [{ name, scores }];
  });
}

type Score = (value: Json | undefined) => number;

/** `lacking` is the number of items without a value. */
function scoreFor(values: readonly Json[], lacking: number): Score | undefined {
  const rare = rarity(values, lacking);
  if (rare !== undefined) return rare;
  const numbers = values.filter((value) => typeof value === 'number');
  const isNumeric = numbers.length * 2 > values.length + lacking;
  return isNumeric ? distance(numbers, numbers.length === values.length && lacking === 0) : undefined;
}

/** The distance from the median in multiples of the median distance; minimum and maximum score at least 1. */
function distance(numbers: readonly number[], isWhole: boolean): Score {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [least, greatest] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  const median = medianOf(sorted);
  const apart = sorted.map((value) => Math.abs(value - median));
  const typical =
    medianOf(apart.toSorted((a, b) => a - b)) || apart.reduce((sum, each) => sum + each, 0) / apart.length;
  const isEnd = (value: number) => (value === least) !== (value === greatest);
  const absent = isWhole ? 0 : HIGHEST / 2;
  return (value) => {
    if (typeof value !== 'number') return absent;
    const times = typical === 0 ? 0 : Math.abs(value - median) / typical;
    // A value within three times the median distance is no outlier.
    return times > 3 ? times : isEnd(value) ? 1 : 0;
  };
}

function rarity(values: readonly Json[], lacking: number): Score | undefined {
  const times = new Map<Json | undefined, number>(lacking === 0 ? [] : [[undefined, lacking]]);
  // All maps count as one value, and so do all lists.
  const choiceOf = (value: Json | undefined) => (isJsonArray(value) ? '$list' : isJsonObject(value) ? '$map' : value);
  for (const value of values) {
    const choice = choiceOf(value);
    times.set(choice, (times.get(choice) ?? 0) + 1);
    if (times.size > MOST_CHOICES) return undefined;
  }
  return (value) => {
    const share = (times.get(choiceOf(value)) ?? 0) / (values.length + lacking);
    return share >= 0.1 ? 0 : -Math.log2(share);
  };
}
