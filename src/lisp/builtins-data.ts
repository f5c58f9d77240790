// Builtins for everyday work on lists of records.
import { add, divide } from './arithmetic.ts';
import { type Builtin, builtin, type Shapes } from './builtin.ts';
import { distinctBy } from './builtins-sequence.ts';
import { equal } from './equality.ts';
import { typeError } from './exception.ts';
import { each1, getIn } from './invoke.ts';
import { burn, handle } from './machine.ts';
import { mapEntries, pairOf } from './map.ts';
import { compare } from './order.ts';
import { seq } from './seq.ts';
import { aKind, isMap, type Machine, truthy, type Value, vector } from './value.ts';

/** The results of a function for all elements, without nils. */
function keyed(m: Machine, f: Value, coll: Value, who: string): Value[] {
  const items = seq(m, coll, who);
  return items.map((item) => each1(m, f, item)).filter((value) => value !== null);
}

function total(values: readonly Value[]): number {
  return values.reduce<number>((sum, value) => add(sum, value), 0);
}

function average(values: readonly Value[]): Value {
  return values.length === 0 ? null : divide(total(values), values.length);
}

function present(m: Machine, coll: Value, who: string): Value[] {
  const items = seq(m, coll, who);
  burn(m, items.length);
  return items.filter((item) => item !== null);
}

/** The element with the largest or smallest key; elements without a key are skipped. */
function extremeBy(who: string, sign: 1 | -1): Shapes {
  return {
    two: (m, f, coll) => {
      let best: Value = null;
      let bestKey: Value = null;
      for (const item of seq(m, coll, who)) {
        const key = each1(m, f, item);
        if (key === null) continue;
        if (bestKey === null || compare(m, key, bestKey) * sign < 0) {
          best = item;
          bestKey = key;
        }
      }
      return best;
    },
  };
}

/** A test from a function or keyword, or from a map of required values: `{:status "ok"}`. */
function testOf(m: Machine, test: Value): (item: Value) => boolean {
  if (!isMap(test)) return (item) => truthy(each1(m, test, item));
  const wanted = mapEntries(m, test).flatMap((entry) => {
    const pair = pairOf(m, entry);
    return pair === undefined ? [] : [pair];
  });
  return (item) => {
    burn(m, 1 + wanted.length);
    return wanted.every(([key, value]) => equal(m, getIn(m, item, key) ?? null, value));
  };
}

function quantified(who: string, ask: (items: readonly Value[], test: (item: Value) => boolean) => boolean): Shapes {
  return { two: (m, test, coll) => ask(seq(m, coll, who), testOf(m, test)) };
}

function pluck(m: Machine, keys: Value, coll: Value): Value {
  const items = seq(m, coll, 'pluck');
  handle(m, items.length);
  return vector(items.map((item) => getIn(m, item, keys) ?? null));
}

function median(m: Machine, coll: Value): Value {
  const values = present(m, coll, 'median').map((value) => {
    if (typeof value === 'number') return value;
    throw typeError(`median needs numbers, not ${aKind(value)}`);
  });
  if (values.length === 0) return null;
  handle(m, values.length * Math.ceil(Math.log2(values.length + 1)));
  values.sort((a, b) => a - b);
  const middle = values.length >> 1;
  const upper = values[middle] ?? 0;
  return values.length % 2 === 1 ? upper : ((values[middle - 1] ?? 0) + upper) / 2;
}

export const dataBuiltins: readonly Builtin[] = [
  builtin(
    'sum',
    { one: (m, a) => total(present(m, a, 'sum')) },
    '1 + n',
    'Returns the sum of a collection; skips nil',
    '(sum [1 2 nil 3])',
    '6',
  ),
  builtin(
    'avg',
    { one: (m, a) => average(present(m, a, 'avg')) },
    '1 + n',
    'Returns the average of a collection, or nil when it is empty; skips nil',
    '(avg [10 20])',
    '15',
  ),
  builtin(
    'median',
    { one: median },
    '1 + n + n log n',
    'Returns the median of a collection of numbers, or nil when it is empty',
    '(median [3 1 2])',
    '2',
  ),
  builtin(
    'sum-by',
    { two: (m, f, a) => total(keyed(m, f, a, 'sum-by')) },
    '1 + n',
    'Returns the sum of the results of a function',
    '(sum-by :n [{:n 1} {:n 2}])',
    '3',
  ),
  builtin(
    'avg-by',
    { two: (m, f, a) => average(keyed(m, f, a, 'avg-by')) },
    '1 + n',
    'Returns the average of the results of a function',
    '(avg-by :n [{:n 1} {:n 2}])',
    '1.5',
  ),
  builtin(
    'min-by',
    extremeBy('min-by', 1),
    '1 + 2n',
    'Returns the element with the smallest result of a function',
    '(min-by :n [{:n 2} {:n 1}])',
    '{:n 1}',
  ),
  builtin(
    'max-by',
    extremeBy('max-by', -1),
    '1 + 2n',
    'Returns the element with the largest result of a function',
    '(max-by :n [{:n 2} {:n 1}])',
    '{:n 2}',
  ),
  builtin(
    'distinct-by',
    { two: (m, f, a) => vector(distinctBy(m, (item) => each1(m, f, item), seq(m, a, 'distinct-by'))) },
    '2 + 2n',
    'Returns the first element for each result of a function',
    '(distinct-by :n [{:n 1} {:n 1}])',
    '[{:n 1}]',
  ),
  builtin(
    'count-by',
    { two: (m, f, a) => countBy(m, f, a) },
    '1 + n²',
    'Counts the elements that pass a test',
    '(count-by odd? [1 2 3])',
    '2',
  ),
  builtin(
    'where',
    { two: (m, test, a) => where(m, test, a) },
    '1 + n²',
    'Keeps the elements that pass a test: a function, or a map of required values',
    '(where {:ok true} [{:ok true} {:ok false}])',
    '[{:ok true}]',
  ),
  builtin(
    'all-of',
    quantified('all-of', (items, test) => items.every(test)),
    '1 + n²',
    'Tests whether all elements pass a test',
    '(all-of {:ok true} [{:ok true}])',
    'true',
  ),
  builtin(
    'any-of',
    quantified('any-of', (items, test) => items.some(test)),
    '1 + n²',
    'Tests whether some element passes a test',
    '(any-of odd? [2 3])',
    'true',
  ),
  builtin(
    'none-of',
    quantified('none-of', (items, test) => !items.some(test)),
    '1 + n²',
    'Tests whether no element passes a test',
    '(none-of odd? [2 4])',
    'true',
  ),
  builtin(
    'pluck',
    { two: pluck },
    '1 + n',
    'Returns the value under a key of each element',
    '(pluck :n [{:n 1} {}])',
    '[1 nil]',
  ),
];

function where(m: Machine, test: Value, coll: Value): Value {
  const items = seq(m, coll, 'where');
  handle(m, items.length);
  return vector(items.filter(testOf(m, test)));
}

function countBy(m: Machine, test: Value, coll: Value): number {
  return seq(m, coll, 'count-by').filter(testOf(m, test)).length;
}
