// Summaries of many scalars: figures for numbers, counts for choices, ranges for ids and dates.
import { isJsonArray, isJsonObject, type Json, type JsonObject, nameOfKind, type Scalar } from '../../base/json.ts';
import { typesOf, valuesOf } from '../../contract/schema.ts';
import type { Guide } from './guide.ts';

/** The most values of a choice that are counted by name. */
const MOST_CHOICES = 12;
/** Up to this many distinct values are counted by name, even when few repeat. */
const FEW_VALUES = 5;
/** At most `most` distinct numbers that occur `times` times on average are codes, so they are counted like choices. */
const CODES = { most: 8, times: 4 };
/** A longer string is prose: neither a choice nor a bound of a range. */
const LONGEST_WORD = 64;
const DATE = /^\d{4}-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?)?$/;
const ID = /(^|[_-])(id|key|uuid|number|no)$|[a-z](Id|Key|Uuid|No)$/i;

/** The summary of a column, or of a list of scalars; `total` is the number of items. */
export function summaryOf(values: readonly Json[], total: number, guide: Guide): JsonObject {
  const scalars = values.filter(isScalar);
  const present = scalars.filter((value) => value !== null);
  return {
    ...(present.length === total ? {} : { $present: present.length }),
    ...(scalars.length < values.length ? kinds(values) : figuresOf(present, guide)),
  };
}

export function isDate(text: string): boolean {
  return DATE.test(text);
}

export function isScalar(value: Json): value is Scalar {
  return !isJsonArray(value) && !isJsonObject(value);
}

function figuresOf(values: readonly Scalar[], guide: Guide): JsonObject {
  const numbers = values.filter((value) => typeof value === 'number');
  const words = values.filter((value) => typeof value === 'string');
  switch (guide.hints.summary) {
    case 'count':
      return { $present: values.length };
    case 'distinct':
      return { $distinct: new Set(values).size };
    case 'top':
      return counts(values);
    case 'range':
      return numbers.length === values.length ? range(numbers) : range(words);
    case undefined:
  }
  if (values.length === 0) return {};
  if (values.every((value) => typeof value === 'boolean') || isChoice(guide)) return counts(values);
  const distinct = new Set(values).size;
  if (numbers.length === values.length) {
    if (isId(guide)) return range(numbers);
    return distinct <= CODES.most && distinct * CODES.times <= numbers.length ? counts(numbers) : spread(numbers);
  }
  if (words.length < values.length) return kinds(values);
  const dated = words.every(isDate);
  if (dated || isId(guide)) return range(words);
  const chosen = distinct <= FEW_VALUES || (distinct <= MOST_CHOICES && distinct * 2 <= words.length);
  const named = distinct <= FEW_VALUES || words.every((word) => word.length <= LONGEST_WORD);
  return chosen && named ? counts(words) : { $distinct: distinct };
}

function isChoice({ schemas }: Guide): boolean {
  return schemas.some((schema) => valuesOf(schema) !== undefined || typesOf(schema).join() === 'boolean');
}

/** Tells whether the values are identifiers, by the name or the format of their field. */
export function isId({ name, schemas }: Guide): boolean {
  const formats = schemas.map((schema) => schema.format);
  return (name !== undefined && ID.test(name)) || formats.includes('uuid');
}

/** Needs at least one number. */
function spread(numbers: readonly number[]): JsonObject {
  const sorted = numbers.toSorted((a, b) => a - b);
  const sum = numbers.reduce((total, each) => total + each, 0);
  return { $min: sorted[0] ?? 0, $median: medianOf(sorted), $max: sorted.at(-1) ?? 0, $sum: tidy(sum) };
}

/** Needs at least one number, sorted ascending. */
export function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : tidy(((sorted[middle - 1] ?? 0) + upper) / 2);
}

/** Rounds away the noise of binary fractions, which costs tokens. */
function tidy(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(12));
}

function range<T extends number | string>(values: readonly T[]): JsonObject {
  let [min, max] = [values[0], values[0]];
  for (const value of values) {
    if (min === undefined || value < min) min = value;
    if (max === undefined || value > max) max = value;
  }
  const short = [min, max].every((bound) => typeof bound === 'number' || (bound?.length ?? Infinity) <= LONGEST_WORD);
  const ends = short && min !== undefined && max !== undefined ? { $min: min, $max: max } : {};
  return { ...ends, $distinct: new Set(values).size };
}

function counts(values: readonly Scalar[]): JsonObject {
  const times = new Map<string, number>();
  for (const value of values) times.set(String(value), (times.get(String(value)) ?? 0) + 1);
  const ranked = [...times].sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1));
  const named = ranked.filter(([word]) => word.length <= LONGEST_WORD).slice(0, MOST_CHOICES);
  return {
    $counts: Object.fromEntries(named),
    ...(named.length === ranked.length ? {} : { $distinct: ranked.length }),
  };
}

function kinds(values: readonly Json[]): JsonObject {
  const times = new Map<string, number>();
  for (const value of values) times.set(nameOfKind(value), (times.get(nameOfKind(value)) ?? 0) + 1);
  return { $kinds: Object.fromEntries([...times].sort(([a], [b]) => (a < b ? -1 : 1))) };
}
