// Computes statistics of one column in bounded memory.
import { typeOfColumn, typeOfValue, type ValueType } from './value-type.ts';

export interface ColumnProfile {
  readonly name: string;
  readonly type: ValueType;
  /** Values that are not missing. */
  readonly count: number;
  readonly missing: number;
  /** Number of different values; a lower bound unless `exact`. */
  readonly distinct: number;
  readonly exact: boolean;
  /** Numbers in a column of numbers, else strings ordered by code unit; null when every value is missing. */
  readonly min: number | string | null;
  readonly max: number | string | null;
  /** The mean of a column of numbers, else null. */
  readonly mean: number | null;
  /** The most frequent values, if they occur more than once. */
  readonly top: readonly { readonly value: string; readonly count: number }[];
}

const MOST_DISTINCT = 10_000;
const TOP = 5;
const LONGEST_SHOWN = 80;

export interface ColumnProfiler {
  see(field: string): void;
  profile(): ColumnProfile;
}

export function columnProfiler(name: string): ColumnProfiler {
  const types = new Set<ValueType>();
  const counts = new Map<string, number>();
  let count = 0;
  let missing = 0;
  let exact = true;
  let sum = 0;
  let numbers: Extremes<number>;
  let texts: Extremes<string>;

  const tally = (text: string): void => {
    const before = counts.get(text);
    if (before !== undefined || counts.size < MOST_DISTINCT) counts.set(text, (before ?? 0) + 1);
    else exact = false;
  };

  return {
    see(field) {
      const text = field.trim();
      const type = typeOfValue(text);
      types.add(type);
      if (type === 'empty') {
        missing += 1;
        return;
      }
      count += 1;
      tally(text);
      texts = widened(texts, text);
      if (type !== 'integer' && type !== 'number') return;
      sum += Number(text);
      numbers = widened(numbers, Number(text));
    },

    profile() {
      const type = typeOfColumn(types);
      const numeric = type === 'integer' || type === 'number';
      const extremes = numeric ? numbers : texts;
      return {
        name,
        type,
        count,
        missing,
        distinct: counts.size,
        exact,
        min: shown(extremes?.min),
        max: shown(extremes?.max),
        mean: numeric && Number.isFinite(sum) ? sum / count : null,
        top: topOf(counts),
      };
    },
  };
}

type Extremes<T> = { readonly min: T; readonly max: T } | undefined;

function widened<T>(extremes: Extremes<T>, value: T): Extremes<T> {
  if (extremes === undefined) return { min: value, max: value };
  if (value < extremes.min) return { ...extremes, min: value };
  return value > extremes.max ? { ...extremes, max: value } : extremes;
}

function topOf(counts: ReadonlyMap<string, number>): ColumnProfile['top'] {
  return [...counts]
    .filter(([, count]) => count > 1)
    .sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1))
    .slice(0, TOP)
    .map(([value, count]) => ({ value: shown(value), count }));
}

function shown<T extends number | string | undefined>(value: T): T extends undefined ? Exclude<T, undefined> | null : T;
function shown(value: number | string | undefined): number | string | null {
  if (typeof value !== 'string') return value ?? null;
  return value.length <= LONGEST_SHOWN ? value : `${value.slice(0, LONGEST_SHOWN)}…`;
}
