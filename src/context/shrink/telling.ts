// Which of many items to show: the first ones, and those that stand out most from the rest.
import { type Json, ownProperty } from '../../base/json.ts';
import type { Column } from './columns.ts';
import { isId, medianOf } from './figures.ts';

/** A column with more values than this is no choice, so that none of them is rare. */
const MOST_CHOICES = 12;
/** One wild figure shall not outweigh everything else. */
const HIGHEST = 12;

/** Indexes of at most `most` items, the most telling ones first: the first item, the oddest, the second, the next oddest… */
export function telling(count: number, most: number, oddness: readonly number[]): readonly number[] {
  const odd = oddness
    .map((score, index) => ({ score, index }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index);
  const chosen = new Set<number>();
  const wanted = Math.min(most, count);
  for (let turn = 0; chosen.size < wanted; turn += 1) {
    chosen.add(turn);
    const oddest = odd[turn];
    if (oddest !== undefined && chosen.size < wanted) chosen.add(oddest.index);
  }
  return [...chosen];
}

/** How far each item stands out: distance from the median in its number columns, rarity in its choices. */
export function oddnessOf(
  items: readonly Json[],
  columns: readonly (readonly (Json | undefined)[])[],
): readonly number[] {
  const scores = items.map(() => 0);
  for (const values of columns) {
    const score = distance(values) ?? rarity(values);
    if (score === undefined) continue;
    values.forEach((value, at) => {
      scores[at] = (scores[at] ?? 0) + Math.min(HIGHEST, score(value));
    });
  }
  return scores;
}

/** The values of each column by item, undefined where an item lacks it; what identifies an item does not set it apart. */
export function alignedValues(
  items: readonly Json[],
  columns: readonly Column[],
): readonly (readonly (Json | undefined)[])[] {
  return columns.filter(({ guide }) => !isId(guide)).map(({ name }) => items.map((item) => ownProperty(item, name)));
}

type Score = (value: Json | undefined) => number;

function distance(values: readonly (Json | undefined)[]): Score | undefined {
  const numbers = values.filter((value) => typeof value === 'number').sort((a, b) => a - b);
  if (numbers.length * 2 <= values.length) return undefined;
  const median = medianOf(numbers);
  const apart = numbers.map((value) => Math.abs(value - median));
  const typical =
    medianOf(apart.toSorted((a, b) => a - b)) || apart.reduce((sum, each) => sum + each, 0) / apart.length;
  return (value) => {
    if (typeof value !== 'number') return HIGHEST / 2;
    const times = typical === 0 ? 0 : Math.abs(value - median) / typical;
    // Within three times the usual distance is nothing to remark on.
    return times <= 3 ? 0 : times;
  };
}

function rarity(values: readonly (Json | undefined)[]): Score | undefined {
  const times = new Map<Json | undefined, number>();
  // All maps and lists are one choice.
  const choiceOf = (value: Json | undefined) => (typeof value === 'object' ? null : value);
  for (const value of values) {
    const choice = choiceOf(value);
    times.set(choice, (times.get(choice) ?? 0) + 1);
    if (times.size > MOST_CHOICES) return undefined;
  }
  return (value) => {
    const share = (times.get(choiceOf(value)) ?? 0) / values.length;
    return share >= 0.1 ? 0 : -Math.log2(share);
  };
}
