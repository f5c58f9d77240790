// Builtins for sequences. They accept strings, maps, sets and nil as sequences, and return vectors.
import { counted, number, whole } from './arithmetic.ts';
import { type Builtin, builtin, type Shapes } from './builtin.ts';
import { equal } from './equality.ts';
import { typeError } from './exception.ts';
import { elementAt, endlessError, finite, fromHost, isHostArray } from './host.ts';
import { each1, each2, eachN, getIn, invoke1, orElse } from './invoke.ts';
import { burn, copying, enter, handle, leave } from './machine.ts';
import { entryAt, mapBuilder, mapSize, setOf } from './map.ts';
import { text } from './match.ts';
import { nth } from './nth.ts';
import { seq } from './seq.ts';
import { replaceText } from './text-edit.ts';
import {
  aKind,
  endless,
  type Fn,
  isFn,
  isMap,
  isReduced,
  isSet,
  isVector,
  type Machine,
  tailOf,
  truthy,
  type Value,
  type Vector,
  vector,
} from './value.ts';

/** The first `count` elements, also of an infinite sequence. */
function taken(m: Machine, count: number, coll: Value, who: string): Value[] {
  if (isVector(coll)) {
    const size = Math.max(0, Math.min(count, coll.size));
    handle(m, size);
    return Array.from({ length: size }, (_, i) => elementAt(coll, i));
  }
  const items = seq(m, coll, who).slice(0, Math.max(0, count));
  handle(m, items.length);
  return items;
}

function nthOf(m: Machine, coll: Value, index: number, who: string): Value {
  if (isVector(coll)) return elementAt(coll, index);
  if (isMap(coll)) return entryAt(m, coll, index);
  return seq(m, coll, who)[index] ?? null;
}

/** The elements from an index on. A vector is shared, not copied. */
function from(m: Machine, coll: Value, start: number, who: string): Vector {
  if (isVector(coll)) return tailOf(coll, start);
  const items = seq(m, coll, who);
  copying(m, items.length);
  return vector(items.slice(Math.max(0, start)));
}

/** A fresh array of the elements. */
function copied(m: Machine, coll: Value, who: string): Value[] {
  const items = seq(m, coll, who);
  handle(m, items.length);
  return items.slice();
}

function last(m: Machine, coll: Value): Value {
  const all = from(m, coll, 0, 'last');
  return elementAt(finite(all), all.size - 1);
}

function orNil(v: Vector): Value {
  return v.size === 0 ? null : v;
}

function first(m: Machine, coll: Value, who: string): Value {
  return nthOf(m, coll, 0, who);
}

/** The length of the shortest collection. */
function shortest(
  m: Machine,
  colls: readonly Value[],
  who: string,
): { readonly size: number; readonly at: (coll: number, i: number) => Value } {
  burn(m, colls.length);
  const parts = colls.map((coll): Vector | readonly Value[] =>
    isVector(coll) && coll.raw !== undefined ? coll : seq(m, coll, who),
  );
  const size = parts.reduce(
    (least, part) => Math.min(least, 'kind' in part ? part.size : part.length),
    Number.POSITIVE_INFINITY,
  );
  if (size === Number.POSITIVE_INFINITY) throw endlessError();
  burn(m, size * parts.length);
  return {
    size,
    at: (coll, i) => {
      const part = parts[coll];
      if (part === undefined) return null;
      return 'kind' in part ? elementAt(part, i) : (part[i] ?? null);
    },
  };
}

function mapped(m: Machine, f: Value, coll: Value): Vector {
  const whole = isVector(coll) ? finite(coll) : vector(copied(m, coll, 'map'));
  const { size } = whole;
  handle(m, size * 2);
  const out = new Array<Value>(size);
  const { at } = m;
  enter(m);
  if (isFn(f)) {
    const { call1 } = f.code;
    for (let i = 0; i < size; i++) out[i] = call1(m, f, elementAt(whole, i));
  } else {
    for (let i = 0; i < size; i++) out[i] = invoke1(m, f, elementAt(whole, i));
  }
  leave(m);
  m.at = at;
  return vector(out);
}

const MAP: Shapes = {
  two: mapped,
  three: (m, f, a, b) => {
    const { size, at } = shortest(m, [a, b], 'map');
    return vector(Array.from({ length: size }, (_, i) => each2(m, f, at(0, i), at(1, i))));
  },
  rest: (m, [f = null, ...colls]) => {
    const { size, at } = shortest(m, colls, 'map');
    return vector(
      Array.from({ length: size }, (_, i) =>
        eachN(
          m,
          f,
          colls.map((_, c) => at(c, i)),
        ),
      ),
    );
  },
  min: 2,
};

function kept(who: string, keep: (m: Machine, f: Value, item: Value) => boolean): Shapes {
  return {
    two: (m, f, coll) => {
      const items = seq(m, coll, who);
      handle(m, items.length);
      return vector(items.filter((item) => keep(m, f, item)));
    },
  };
}

const FILTER = kept('filter', (m, f, item) => truthy(each1(m, f, item)));

/** The number of leading elements that satisfy the predicate. */
function prefix(m: Machine, f: Value, items: readonly Value[]): number {
  const stop = items.findIndex((item) => !truthy(each1(m, f, item)));
  return stop < 0 ? items.length : stop;
}

function reduce(m: Machine, f: Value, start: Value, items: readonly Value[], begin: number): Value {
  let total = start;
  if (isFn(f)) {
    const { call2 } = f.code;
    const { at } = m;
    burn(m, items.length);
    enter(m);
    for (let i = begin; i < items.length; i++) {
      total = call2(m, f, total, items[i] ?? null);
      if (isReduced(total)) {
        leave(m);
        return total.value;
      }
    }
    leave(m);
    m.at = at;
    return total;
  }
  for (let i = begin; i < items.length; i++) total = each2(m, f, total, items[i] ?? null);
  return total;
}

/** Reduces host data element by element, without converting the list first. */
function reduceHost(m: Machine, f: Fn, start: Value, list: readonly unknown[], from: number, size: number): Value {
  const { call2 } = f.code;
  const { at } = m;
  let total = start;
  burn(m, size * 2);
  enter(m);
  for (let i = from; i < from + size; i++) {
    total = call2(m, f, total, fromHost(list[i]));
    if (isReduced(total)) {
      leave(m);
      return total.value;
    }
  }
  leave(m);
  m.at = at;
  return total;
}

function reduceFrom(m: Machine, f: Value, start: Value, coll: Value): Value {
  if (isFn(f) && isVector(coll) && isHostArray(coll.raw))
    return reduceHost(m, f, start, coll.raw, coll.start, coll.size);
  return reduce(m, f, start, seq(m, coll, 'reduce'), 0);
}

function reductions(m: Machine, f: Value, start: Value, items: readonly Value[]): Value {
  const out = [start];
  handle(m, items.length);
  let total = start;
  for (const item of items) {
    const next = each2(m, f, total, item);
    total = isReduced(next) ? next.value : next;
    out.push(total);
    if (isReduced(next)) break;
  }
  return vector(out);
}

/** Groups of `size` elements, `step` apart; `short` decides about an incomplete last group. */
function partitioned(
  m: Machine,
  size: Value,
  step: Value,
  coll: Value,
  short: 'drop' | 'keep' | readonly Value[],
): Value {
  const length = whole(size, 'partition');
  const apart = whole(step, 'partition');
  if (length < 1 || apart < 1) throw typeError('partition needs a size and a step of at least 1');
  const items = seq(m, coll, 'partition');
  const groups: Value[] = [];
  for (let i = 0; i < items.length; i += apart) {
    const group = items.slice(i, i + length);
    handle(m, group.length + 1);
    if (group.length === length || short === 'keep') groups.push(vector(group));
    else if (short === 'drop') break;
    else {
      groups.push(vector([...group, ...short.slice(0, length - group.length)]));
      break;
    }
  }
  return vector(groups);
}

function partitionBy(m: Machine, f: Value, coll: Value): Value {
  const groups: Value[][] = [];
  let last: Value = null;
  for (const item of seq(m, coll, 'partition-by')) {
    handle(m, 3);
    const mark = each1(m, f, item);
    const group = groups.at(-1);
    if (group !== undefined && equal(m, mark, last)) group.push(item);
    else groups.push([item]);
    last = mark;
  }
  return vector(groups.map((group) => vector(group)));
}

/** The first element of each group with equal marks, in order. */
export function distinctBy(m: Machine, mark: (item: Value) => Value, items: readonly Value[]): Value[] {
  burn(m, 4);
  const seen = mapBuilder(m);
  return items.filter((item) => seen.addNew(mark(item), true));
}

function dedupe(m: Machine, coll: Value): Value {
  const items = seq(m, coll, 'dedupe');
  handle(m, items.length);
  return vector(items.filter((item, i) => i === 0 || !equal(m, item, items[i - 1] ?? null)));
}

function interleave(m: Machine, colls: readonly Value[]): Value {
  if (colls.length === 0) return vector([]);
  const { size, at } = shortest(m, colls, 'interleave');
  handle(m, size * colls.length);
  const out: Value[] = [];
  for (let i = 0; i < size; i++) for (let c = 0; c < colls.length; c++) out.push(at(c, i));
  return vector(out);
}

/** Joins collections end to end. */
function concatenated(m: Machine, colls: readonly Value[], who: string): Value[] {
  const out: Value[] = [];
  for (const coll of colls) {
    const items = seq(m, coll, who);
    handle(m, items.length);
    for (const item of items) out.push(item);
  }
  return out;
}

function flatten(m: Machine, value: Value, out: Value[]): void {
  if (!isVector(value)) {
    out.push(value);
    return;
  }
  enter(m);
  const items = seq(m, value, 'flatten');
  handle(m, items.length);
  for (const item of items) flatten(m, item, out);
  leave(m);
}

function range(m: Machine, start: Value, end: Value, step: Value): Value {
  const [low, high, by] = [number(start, 'range'), number(end, 'range'), number(step, 'range')];
  if (by === 0) return low === high ? vector([]) : endless(() => low);
  if (Number.isNaN(low + high + by)) throw typeError('range needs numbers, not NaN');
  const size = Math.max(0, Math.ceil((high - low) / by));
  if (size === Number.POSITIVE_INFINITY) return endless((i) => low + i * by);
  handle(m, size);
  const out = new Array<Value>(size);
  for (let i = 0; i < size; i++) out[i] = low + i * by;
  return vector(out);
}

/** Remembers computed elements, so that walking the sequence computes each only once. */
function iterate(m: Machine, f: Value, start: Value): Value {
  const known: Value[] = [start];
  return endless((index) => {
    while (known.length <= index) {
      handle(m, 1);
      known.push(each1(m, f, known.at(-1) ?? null));
    }
    return known[index] ?? null;
  });
}

function treeSeq(m: Machine, branch: Value, children: Value, root: Value): Value {
  const out: Value[] = [];
  const walk = (node: Value): void => {
    enter(m);
    handle(m, 1);
    out.push(node);
    if (truthy(each1(m, branch, node))) for (const child of seq(m, each1(m, children, node), 'tree-seq')) walk(child);
    leave(m);
  };
  walk(root);
  return vector(out);
}

function count(m: Machine, coll: Value): number {
  if (coll === null) return 0;
  if (isVector(coll)) {
    return finite(coll).size;
  }
  if (isMap(coll)) return mapSize(m, coll);
  if (isSet(coll)) return coll.map.size;
  if (typeof coll === 'string') return seq(m, coll, 'count').length;
  throw typeError(`count needs a collection or a string, not ${aKind(coll)}`);
}

function isEmpty(m: Machine, coll: Value, who: string): boolean {
  if (typeof coll === 'string') return coll === '';
  if (isVector(coll)) return coll.size === 0;
  if (isMap(coll)) return mapSize(m, coll) === 0;
  return seq(m, coll, who).length === 0;
}

function some(m: Machine, f: Value, coll: Value): Value {
  for (const item of seq(m, coll, 'some')) {
    const answer = each1(m, f, item);
    if (truthy(answer)) return answer;
  }
  return null;
}

function every(m: Machine, f: Value, coll: Value): boolean {
  return seq(m, coll, 'every?').every((item) => truthy(each1(m, f, item)));
}

function indexed(who: string, each: (m: Machine, f: Value, i: number, item: Value) => Value | undefined): Shapes {
  return {
    two: (m, f, coll) => {
      const items = seq(m, coll, who);
      handle(m, items.length);
      return vector(
        items.flatMap((item, i) => {
          const value = each(m, f, i, item);
          return value === undefined ? [] : [value];
        }),
      );
    },
  };
}

function nthRest(m: Machine, coll: Value, n: Value): Vector {
  return from(m, coll, counted(n, 'nthrest'), 'nthrest');
}

function replaced(m: Machine, replacements: Value, coll: Value): Value {
  const items = seq(m, coll, 'replace');
  handle(m, items.length);
  return vector(items.map((item) => orElse(getIn(m, replacements, item), item)));
}

function combinations(m: Machine, coll: Value, n: Value): Value {
  const items = seq(m, coll, 'combinations');
  const size = whole(n, 'combinations');
  const out: Value[] = [];
  const choose = (start: number, chosen: readonly Value[]): void => {
    handle(m, size + 1);
    if (chosen.length === size) out.push(vector([...chosen]));
    else
      for (let i = start; i <= items.length - (size - chosen.length); i++) choose(i + 1, [...chosen, items[i] ?? null]);
  };
  if (size >= 0 && size <= items.length) choose(0, []);
  return vector(out);
}

function distinctCheck(coll: Value): Value {
  if (isMap(coll) || isSet(coll))
    throw typeError(
      `distinct needs a sequence, not ${aKind(coll)}`,
      'leave distinct out: the elements of maps and sets are distinct',
    );
  return coll;
}

export const sequenceBuiltins: readonly Builtin[] = [
  builtin('count', { one: count }, '1 + n', 'Counts elements, or the code points of a string', '(count [1 2 3])', '3'),
  builtin(
    'empty?',
    { one: (m, a) => isEmpty(m, a, 'empty?') },
    '1 + n',
    'Tests whether a collection has no elements',
    '(empty? [])',
    'true',
  ),
  builtin(
    'not-empty',
    { one: (m, a) => (isEmpty(m, a, 'not-empty') ? null : a) },
    '1 + n',
    'Returns the collection, or nil when it is empty',
    '(not-empty [])',
    'nil',
  ),
  builtin(
    'seq',
    { one: (m, a) => orNil(isVector(a) ? a : from(m, a, 0, 'seq')) },
    '1 + n/2',
    'Returns the elements, or nil when there are none',
    '(seq {:a 1})',
    '[[:a 1]]',
  ),
  builtin('first', { one: (m, a) => first(m, a, 'first') }, '1', 'Returns the first element', '(first [1 2 3])', '1'),
  builtin(
    'second',
    { one: (m, a) => nthOf(m, a, 1, 'second') },
    '1',
    'Returns the second element',
    '(second [1 2 3])',
    '2',
  ),
  builtin('last', { one: (m, a) => last(m, a) }, '1', 'Returns the last element', '(last [1 2 3])', '3'),
  builtin(
    'rest',
    { one: (m, a) => from(m, a, 1, 'rest') },
    '1',
    'Returns all elements but the first',
    '(rest [1 2 3])',
    '[2 3]',
  ),
  builtin(
    'next',
    { one: (m, a) => orNil(from(m, a, 1, 'next')) },
    '1',
    'Returns all elements but the first, or nil when there are none',
    '(next [1])',
    'nil',
  ),
  builtin(
    'ffirst',
    { one: (m, a) => first(m, first(m, a, 'ffirst'), 'ffirst') },
    '1',
    'Returns the first element of the first element',
    '(ffirst [[1 2] [3]])',
    '1',
  ),
  builtin(
    'fnext',
    { one: (m, a) => nthOf(m, a, 1, 'fnext') },
    '1',
    'Returns the second element; the same as second',
    '(fnext [1 2 3])',
    '2',
  ),
  builtin(
    'nfirst',
    { one: (m, a) => orNil(from(m, first(m, a, 'nfirst'), 1, 'nfirst')) },
    '1',
    'Returns the first element without its own first element',
    '(nfirst [[1 2] [3]])',
    '[2]',
  ),
  builtin(
    'nnext',
    { one: (m, a) => orNil(from(m, a, 2, 'nnext')) },
    '1',
    'Returns all elements but the first two, or nil when there are none',
    '(nnext [1 2 3])',
    '[3]',
  ),
  builtin(
    'butlast',
    { one: (m, a) => orNil(vector(copied(m, a, 'butlast').slice(0, -1))) },
    '1 + n',
    'Returns all elements but the last, or nil when there are none',
    '(butlast [1 2 3])',
    '[1 2]',
  ),
  builtin(
    'nth',
    {
      two: (m, a, i) => nth(m, a, number(i, 'nth'), undefined),
      three: (m, a, i, otherwise) => nth(m, a, number(i, 'nth'), otherwise),
    },
    '1',
    'Returns the element at an index; without a default, an index out of range is an error',
    '(nth [1 2 3] 1)',
    '2',
  ),
  builtin(
    'nthrest',
    { two: (m, a, n) => nthRest(m, a, n) },
    '1',
    'Returns all elements but the first n',
    '(nthrest [1 2 3] 2)',
    '[3]',
  ),
  builtin(
    'nthnext',
    { two: (m, a, n) => orNil(nthRest(m, a, n)) },
    '1',
    'Returns all elements but the first n, or nil when there are none',
    '(nthnext [1 2 3] 5)',
    'nil',
  ),
  builtin(
    'take',
    { two: (m, n, a) => vector(taken(m, counted(n, 'take'), a, 'take')) },
    '1 + n',
    'Returns the first n elements',
    '(take 2 [1 2 3])',
    '[1 2]',
  ),
  builtin(
    'drop',
    { two: (m, n, a) => from(m, a, counted(n, 'drop'), 'drop') },
    '1',
    'Returns all elements but the first n',
    '(drop 2 [1 2 3])',
    '[3]',
  ),
  builtin(
    'take-while',
    { two: takeWhile },
    '1 + 2n',
    'Returns the elements before the first that fails a predicate',
    '(take-while pos? [1 2 -1 3])',
    '[1 2]',
  ),
  builtin(
    'drop-while',
    {
      two: (m, f, a) => {
        const items = seq(m, a, 'drop-while');
        copying(m, items.length);
        return vector(items.slice(prefix(m, f, items)));
      },
    },
    '1 + 2n',
    'Returns the elements from the first that fails a predicate',
    '(drop-while pos? [1 2 -1 3])',
    '[-1 3]',
  ),
  builtin(
    'take-last',
    {
      two: (m, n, a) => {
        const all = from(m, a, 0, 'take-last');
        return orNil(tailOf(all, all.size - Math.max(0, counted(n, 'take-last'))));
      },
    },
    '1',
    'Returns the last n elements, or nil when there are none',
    '(take-last 2 [1 2 3])',
    '[2 3]',
  ),
  builtin(
    'drop-last',
    { one: (m, a) => vector(dropLast(m, 1, a)), two: (m, n, a) => vector(dropLast(m, counted(n, 'drop-last'), a)) },
    '1 + n',
    'Returns all elements but the last n (default 1)',
    '(drop-last 2 [1 2 3])',
    '[1]',
  ),
  builtin(
    'take-nth',
    {
      two: (m, n, a) => {
        const step = whole(n, 'take-nth');
        if (step < 1) throw typeError('take-nth needs a step of at least 1');
        return vector(copied(m, a, 'take-nth').filter((_, i) => i % step === 0));
      },
    },
    '1 + n',
    'Returns every nth element',
    '(take-nth 2 [1 2 3 4 5])',
    '[1 3 5]',
  ),
  builtin(
    'split-at',
    {
      two: (m, n, a) => {
        const at = Math.max(0, counted(n, 'split-at'));
        const items = copied(m, a, 'split-at');
        return vector([vector(items.slice(0, at)), vector(items.slice(at))]);
      },
    },
    '1 + n',
    'Splits a collection after the first n elements',
    '(split-at 1 [1 2 3])',
    '[[1] [2 3]]',
  ),
  builtin(
    'split-with',
    {
      two: (m, f, a) => {
        const items = copied(m, a, 'split-with');
        const at = prefix(m, f, items);
        return vector([vector(items.slice(0, at)), vector(items.slice(at))]);
      },
    },
    '1 + 2n',
    'Splits a collection before the first element that fails a predicate',
    '(split-with pos? [1 -1 2])',
    '[[1] [-1 2]]',
  ),
  builtin(
    'reverse',
    { one: (m, a) => vector(copied(m, a, 'reverse').reverse()) },
    '1 + n',
    'Reverses the order of the elements',
    '(reverse [1 2 3])',
    '[3 2 1]',
  ),
  builtin(
    'rseq',
    {
      one: (m, a) => {
        if (!isVector(a)) throw typeError(`rseq needs a vector, not ${aKind(a)}`);
        return orNil(vector(copied(m, a, 'rseq').reverse()));
      },
    },
    '1 + n',
    'Reverses a vector; nil when it is empty',
    '(rseq [1 2 3])',
    '[3 2 1]',
  ),
  builtin(
    'concat',
    { rest: (m, colls) => vector(concatenated(m, colls, 'concat')) },
    'k + n',
    'Joins collections',
    '(concat [1 2] [3])',
    '[1 2 3]',
  ),
  builtin(
    'cons',
    { two: (m, a, coll) => vector([a, ...copied(m, coll, 'cons')]) },
    '1 + n',
    'Adds an element in front',
    '(cons 0 [1 2])',
    '[0 1 2]',
  ),
  builtin(
    'list*',
    { rest: (m, args) => vector([...args.slice(0, -1), ...copied(m, args.at(-1) ?? null, 'list*')]), min: 1 },
    'k + n',
    'Adds elements in front of a collection',
    '(list* 1 2 [3 4])',
    '[1 2 3 4]',
  ),
  builtin(
    'map',
    MAP,
    '1 + 2n',
    'Calls a function for each element of one or more collections, and returns the results',
    '(map inc [1 2 3])',
    '[2 3 4]',
  ),
  builtin(
    'mapv',
    MAP,
    '1 + 2n',
    'Calls a function for each element; the same as map',
    '(mapv + [1 2] [10 20])',
    '[11 22]',
  ),
  builtin(
    'mapcat',
    {
      rest: (m, [f = null, ...colls]) => {
        const { size, at } = shortest(m, colls, 'mapcat');
        const parts = Array.from({ length: size }, (_, i) =>
          eachN(
            m,
            f,
            colls.map((_, c) => at(c, i)),
          ),
        );
        return vector(concatenated(m, parts, 'mapcat'));
      },
      min: 2,
    },
    '4 + 5n',
    'Calls a function for each element, and joins the collections that it returns',
    '(mapcat (fn [x] [x x]) [1 2])',
    '[1 1 2 2]',
  ),
  builtin(
    'map-indexed',
    indexed('map-indexed', (m, f, i, item) => each2(m, f, i, item)),
    '1 + 4n',
    'Calls a function with the index and the element, and returns the results',
    '(map-indexed vector [:a :b])',
    '[[0 :a] [1 :b]]',
  ),
  builtin(
    'keep-indexed',
    indexed('keep-indexed', (m, f, i, item) => each2(m, f, i, item) ?? undefined),
    '1 + 3n',
    'Calls a function with the index and the element, and returns the results that are not nil',
    '(keep-indexed (fn [i x] (when (even? i) x)) [:a :b :c])',
    '[:a :c]',
  ),
  builtin(
    'filter',
    FILTER,
    '1 + 2n',
    'Keeps the elements that satisfy a predicate',
    '(filter even? [1 2 3 4])',
    '[2 4]',
  ),
  builtin(
    'filterv',
    FILTER,
    '1 + 2n',
    'Keeps the elements that satisfy a predicate; the same as filter',
    '(filterv odd? [1 2 3])',
    '[1 3]',
  ),
  builtin(
    'remove',
    kept('remove', (m, f, item) => !truthy(each1(m, f, item))),
    '1 + 2n',
    'Removes the elements that satisfy a predicate',
    '(remove even? [1 2 3])',
    '[1 3]',
  ),
  builtin(
    'keep',
    indexed('keep', (m, f, _, item) => each1(m, f, item) ?? undefined),
    '1 + 2n',
    'Calls a function for each element, and returns the results that are not nil',
    '(keep :a [{:a 1} {}])',
    '[1]',
  ),
  builtin(
    'reduce',
    {
      two: (m, f, coll) => {
        const items = seq(m, coll, 'reduce');
        if (items.length === 0) return eachN(m, f, []);
        return reduce(m, f, items[0] ?? null, items, 1);
      },
      three: reduceFrom,
    },
    '1 + n',
    'Combines all elements to one value',
    '(reduce + 0 [1 2 3])',
    '6',
  ),
  builtin(
    'reductions',
    {
      two: (m, f, coll) => {
        const [start, ...items] = copied(m, coll, 'reductions');
        return start === undefined ? vector([eachN(m, f, [])]) : reductions(m, f, start, items);
      },
      three: (m, f, start, coll) => reductions(m, f, start, seq(m, coll, 'reductions')),
    },
    '1 + 3n',
    'Returns every intermediate value of a reduce',
    '(reductions + [1 2 3])',
    '[1 3 6]',
  ),
  builtin(
    'reduced',
    { one: (_, value) => ({ kind: 'reduced', value }) },
    '1',
    'Stops the reduce around it with this value',
    '(reduce (fn [a x] (if (> x 2) (reduced a) (+ a x))) [1 2 3 4])',
    '3',
  ),
  builtin(
    'reduced?',
    { one: (_, a) => isReduced(a) },
    '1',
    'Tests whether a value stops a reduce',
    '(reduced? (reduced 1))',
    'true',
  ),
  builtin(
    'unreduced',
    { one: (_, a) => (isReduced(a) ? a.value : a) },
    '1',
    'Returns the value inside reduced; other values stay',
    '(unreduced (reduced 1))',
    '1',
  ),
  builtin(
    'every?',
    { two: every },
    '1 + n',
    'Tests whether all elements satisfy a predicate',
    '(every? even? [2 4])',
    'true',
  ),
  builtin(
    'not-every?',
    { two: (m, f, a) => !every(m, f, a) },
    '1 + n',
    'Tests whether some element fails a predicate',
    '(not-every? even? [2 3])',
    'true',
  ),
  builtin(
    'some',
    { two: some },
    '1 + n',
    'Returns the first truthy result of a predicate, or nil',
    '(some even? [1 2])',
    'true',
  ),
  builtin(
    'not-any?',
    { two: (m, f, a) => some(m, f, a) === null },
    '1 + n',
    'Tests whether no element satisfies a predicate',
    '(not-any? even? [1 3])',
    'true',
  ),
  builtin(
    'distinct',
    { one: (m, a) => vector(distinctBy(m, (item) => item, seq(m, distinctCheck(a), 'distinct'))) },
    '1 + 2n',
    'Removes repeated elements and keeps the order',
    '(distinct [1 2 1 3])',
    '[1 2 3]',
  ),
  builtin(
    'dedupe',
    { one: dedupe },
    '1 + n',
    'Removes elements that equal the one before them',
    '(dedupe [1 1 2 1])',
    '[1 2 1]',
  ),
  builtin(
    'distinct?',
    { rest: (m, args) => setOf(m, args).map.size === args.length, min: 1 },
    '2k',
    'Tests whether all arguments differ',
    '(distinct? 1 2 3)',
    'true',
  ),
  builtin(
    'partition',
    {
      two: (m, n, a) => partitioned(m, n, n, a, 'drop'),
      three: (m, n, step, a) => partitioned(m, n, step, a, 'drop'),
      four: (m, n, step, pad, a) => partitioned(m, n, step, a, seq(m, pad, 'partition')),
    },
    '1 + 2n',
    'Splits into groups of n; drops an incomplete last group, or fills it from a pad',
    '(partition 2 [1 2 3 4 5])',
    '[[1 2] [3 4]]',
  ),
  builtin(
    'partition-all',
    { two: (m, n, a) => partitioned(m, n, n, a, 'keep'), three: (m, n, step, a) => partitioned(m, n, step, a, 'keep') },
    '1 + 2n',
    'Splits into groups of n; the last group may be shorter',
    '(partition-all 2 [1 2 3])',
    '[[1 2] [3]]',
  ),
  builtin(
    'partition-by',
    { two: partitionBy },
    '1 + 4n',
    'Starts a new group whenever the result of a function changes',
    '(partition-by odd? [1 1 2 3])',
    '[[1 1] [2] [3]]',
  ),
  builtin(
    'interleave',
    { rest: interleave },
    'k + 2n',
    'Returns the first elements of all collections, then the second ones, and so on',
    '(interleave [1 2] [:a :b])',
    '[1 :a 2 :b]',
  ),
  builtin(
    'interpose',
    { two: (m, gap, a) => interposed(m, gap, a) },
    '1 + 2n',
    'Puts a separator between the elements',
    '(interpose 0 [1 2 3])',
    '[1 0 2 0 3]',
  ),
  builtin(
    'flatten',
    {
      one: (m, a) => {
        const out: Value[] = [];
        if (isVector(a)) flatten(m, a, out);
        return vector(out);
      },
    },
    '1 + 3n',
    'Joins nested vectors into one; returns an empty vector for anything else',
    '(flatten [1 [2 [3]]])',
    '[1 2 3]',
  ),
  builtin(
    'range',
    {
      zero: () => endless((i) => i),
      one: (m, end) => range(m, 0, end, 1),
      two: (m, start, end) => range(m, start, end, 1),
      three: range,
    },
    '1 + n',
    'Counts from a start (default 0) up to an end, by a step; without an end, the sequence is infinite',
    '(range 0 10 3)',
    '[0 3 6 9]',
  ),
  builtin(
    'repeat',
    {
      one: (_, a) => endless(() => a),
      two: (m, n, a) => {
        const size = Math.max(0, whole(n, 'repeat'));
        handle(m, size);
        return vector(new Array<Value>(size).fill(a));
      },
    },
    '1 + n',
    'Repeats a value n times; without n, the sequence is infinite',
    '(repeat 3 :x)',
    '[:x :x :x]',
  ),
  builtin(
    'cycle',
    {
      one: (m, a) => {
        const items = copied(m, a, 'cycle');
        return items.length === 0 ? vector([]) : endless((i) => items[i % items.length] ?? null);
      },
    },
    '1 + n',
    'Repeats the elements without end',
    '(take 3 (cycle [1 2]))',
    '[1 2 1]',
  ),
  builtin(
    'iterate',
    { two: iterate },
    '1 + 2n',
    'Returns the infinite sequence x, (f x), (f (f x)) …',
    '(take 3 (iterate inc 5))',
    '[5 6 7]',
  ),
  builtin(
    'replace',
    { two: replaced, three: (m, a, match, by) => replaceText(m, text(a, 'replace'), match, by, true) },
    '1 + n',
    'Replaces elements that are keys of a map (or indices of a vector) by their values; with three arguments the same as string/replace',
    '(replace {2 :two} [1 2 3])',
    '[1 :two 3]',
  ),
  builtin(
    'tree-seq',
    { three: treeSeq },
    '1 + 4n',
    'Lists the nodes of a tree, each before its children',
    '(tree-seq vector? seq [1 [2]])',
    '[[1 [2]] 1 [2] 2]',
  ),
  builtin(
    'combinations',
    { two: combinations },
    '2n^k',
    'Returns all ways to choose n elements',
    '(combinations [1 2 3] 2)',
    '[[1 2] [1 3] [2 3]]',
  ),
  builtin(
    'zip',
    { two: (m, a, b) => zip(m, a, b) },
    '3 + 4n',
    'Pairs the elements of two collections',
    '(zip [1 2] [:a :b])',
    '[[1 :a] [2 :b]]',
  ),
  builtin(
    'run!',
    { two: (m, f, a) => runAll(m, f, a) },
    '1 + n',
    'Calls a function for each element for its errors only; returns nil',
    '(run! inc [1 2])',
    'nil',
  ),
  builtin(
    'doall',
    { one: (_, a) => a },
    '1',
    'Returns the sequence itself: all sequences are eager',
    '(doall [1 2])',
    '[1 2]',
  ),
];

function runAll(m: Machine, f: Value, coll: Value): Value {
  for (const item of seq(m, coll, 'run!')) each1(m, f, item);
  return null;
}

function zip(m: Machine, a: Value, b: Value): Value {
  const { size, at } = shortest(m, [a, b], 'zip');
  handle(m, size * 2);
  return vector(Array.from({ length: size }, (_, i) => vector([at(0, i), at(1, i)])));
}

function interposed(m: Machine, gap: Value, coll: Value): Value {
  const items = seq(m, coll, 'interpose');
  handle(m, items.length * 2);
  return vector(items.flatMap((item, i) => (i === 0 ? [item] : [gap, item])));
}

function takeWhile(m: Machine, f: Value, coll: Value): Value {
  if (!isVector(coll) || coll.size !== Number.POSITIVE_INFINITY) {
    const items = seq(m, coll, 'take-while');
    return vector(items.slice(0, prefix(m, f, items)));
  }
  const out: Value[] = [];
  for (let i = 0; ; i++) {
    const item = elementAt(coll, i);
    if (!truthy(each1(m, f, item))) return vector(out);
    handle(m, 1);
    out.push(item);
  }
}

function dropLast(m: Machine, n: number, coll: Value): Value[] {
  const items = copied(m, coll, 'drop-last');
  return items.slice(0, Math.max(0, items.length - Math.max(0, n)));
}
