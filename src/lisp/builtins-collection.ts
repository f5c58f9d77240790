// Builtins that read and write maps, sets and vectors.
import { whole } from './arithmetic.ts';
import { type Builtin, builtin, native, type Shapes } from './builtin.ts';
import {
  assocOne,
  changePath,
  conj,
  disjOne,
  dissocOne,
  getPath,
  into,
  merged,
  mergedWith,
  pairs,
} from './collection.ts';
import { arityError, typeError } from './exception.ts';
import { elementAt, elements } from './host.ts';
import { each1, each2, eachN, getIn, orElse } from './invoke.ts';
import { burn, copying, handle } from './machine.ts';
import {
  assocExact,
  emptyMap,
  entryOf,
  lookup,
  mapBuilder,
  mapEntries,
  mapKeys,
  mapVals,
  pairOf,
  setHas,
  setOf,
} from './map.ts';
import { compare, orderWith } from './order.ts';
import { itemsOf, seq } from './seq.ts';
import {
  aKind,
  type Fn,
  isFn,
  isMap,
  isReduced,
  isSet,
  isVector,
  type Machine,
  type MapValue,
  type SetValue,
  tailOf,
  type Value,
  type Vector,
  vector,
} from './value.ts';

const NATURAL: Fn = native('compare', 2, 2, (m, [a = null, b = null]) => compare(m, a, b));

function get(m: Machine, from: Value, key: Value): Value {
  return getIn(m, from, key) ?? null;
}

function getOr(m: Machine, from: Value, key: Value, otherwise: Value): Value {
  return orElse(getIn(m, from, key), otherwise);
}

function contains(m: Machine, coll: Value, key: Value): boolean {
  if (coll === null) return false;
  if (isMap(coll)) return lookup(m, coll, key) !== undefined;
  if (isSet(coll)) return setHas(m, coll, key);
  if (isVector(coll) || typeof coll === 'string') {
    if (typeof key !== 'number') {
      if (isVector(coll)) return false;
      throw typeError('contains? on a string asks for an index', 'use (string/includes? s part)');
    }
    return getIn(m, coll, key) !== undefined;
  }
  throw typeError(`contains? needs a map, a set or a vector, not ${aKind(coll)}`);
}

function find(m: Machine, coll: Value, key: Value): Value {
  if (coll === null) return null;
  if (isMap(coll)) return entryOf(m, coll, key) ?? null;
  if (!isVector(coll)) throw typeError(`find needs a map or a vector, not ${aKind(coll)}`);
  if (typeof key !== 'number' || !Number.isInteger(key) || key < 0 || key >= coll.size) return null;
  return vector([key, elementAt(coll, key)]);
}

/** Keys or values of a map, or of a sequence of entries; nil when there are none. */
function side(who: string, which: 0 | 1): Shapes {
  return {
    one: (m, a) => {
      if (isMap(a)) {
        const all = which === 0 ? mapKeys(m, a) : mapVals(m, a);
        return all.length === 0 ? null : vector(all);
      }
      const items = seq(m, a, who);
      handle(m, items.length * 2);
      return items.length === 0 ? null : vector(items.map((entry) => sideOf(m, entry, who, which)));
    },
  };
}

function sideOf(m: Machine, entry: Value, who: string, which: 0 | 1): Value {
  const pair = pairOf(m, entry);
  if (pair === undefined) throw typeError(`${who} needs an entry [key value], not ${aKind(entry)}`);
  return pair[which];
}

const ASSOC: Shapes = {
  three: assocOne,
  rest: (m, [coll = null, ...args]) => {
    if (args.length % 2 === 1) throw arityError('assoc needs a value for each key');
    let result = coll;
    pairs(m, args, (key, value) => {
      result = assocOne(m, result, key, value);
    });
    return result;
  },
  min: 3,
};

function update(m: Machine, coll: Value, key: Value, f: Value, more: readonly Value[]): Value {
  return assocOne(m, coll, key, eachN(m, f, [getIn(m, coll, key) ?? null, ...more]));
}

/** A map from `k v k v …`; for duplicate keys, the later value wins. */
function mapOf(m: Machine, args: readonly Value[], who: string): MapValue {
  if (args.length % 2 === 1) throw arityError(`${who} needs a value for each key`);
  const map = mapBuilder(m);
  pairs(m, args, map.add);
  return map.done();
}

function sortedMap(m: Machine, order: Fn, args: readonly Value[]): Value {
  if (args.length % 2 === 1) throw arityError('sorted-map needs a value for each key');
  let map = emptyMap(order);
  pairs(m, args, (key, value) => {
    map = assocExact(m, map, key, value);
  });
  return map;
}

function sortedSet(m: Machine, order: Fn, args: readonly Value[]): SetValue {
  let map = emptyMap(order);
  for (const item of args) {
    burn(m, 1);
    map = assocExact(m, map, item, item);
  }
  return { kind: 'set', map };
}

function ordering(value: Value, who: string): Fn {
  if (isFn(value)) return value;
  throw typeError(`${who} needs a comparison function, not ${aKind(value)}`);
}

/** The part of a sorted collection within bounds such as `>= 2`. */
function subSequence(backwards: boolean): Shapes {
  const part = (m: Machine, coll: Value, bounds: readonly (readonly [Value, Value])[]): Value => {
    const map = isSet(coll) ? coll.map : isMap(coll) ? coll : undefined;
    if (map?.order === undefined) throw typeError('subseq needs a sorted map or set');
    const { order } = map;
    const items = itemsOf(m, coll) ?? [];
    handle(m, items.length);
    const inside = items.filter((item) => {
      const key = isSet(coll) ? item : sideOf(m, item, 'subseq', 0);
      return bounds.every(([test, bound]) => each2(m, test, orderWith(m, order, key, bound), 0) === true);
    });
    if (backwards) inside.reverse();
    return inside.length === 0 ? null : vector(inside);
  };
  return {
    three: (m, coll, test, bound) => part(m, coll, [[test, bound]]),
    rest: (m, [coll = null, test = null, bound = null, test2 = null, bound2 = null]) =>
      part(m, coll, [
        [test, bound],
        [test2, bound2],
      ]),
    min: 5,
  };
}

function selectKeys(m: Machine, from: Value, keys: Value): Value {
  const map = mapBuilder(m);
  for (const key of seq(m, keys, 'select-keys')) {
    burn(m, 1);
    const value = getIn(m, from, key);
    if (value !== undefined) map.add(key, value);
  }
  return map.done();
}

function zipmap(m: Machine, keys: Value, vals: Value): Value {
  const map = mapBuilder(m);
  const left = seq(m, keys, 'zipmap');
  const values = isVector(vals) ? vals : toVector(m, vals);
  const size = Math.min(left.length, values.size);
  for (let i = 0; i < size; i++) map.add(left[i] ?? null, elementAt(values, i));
  return map.done();
}

function eachEntry(m: Machine, coll: Value, who: string, each: (key: Value, value: Value) => void): void {
  if (isVector(coll)) handle(m, coll.size);
  for (const entry of isVector(coll) ? elements(m, coll).map((item, i) => vector([i, item])) : seq(m, coll, who)) {
    burn(m, 1);
    const pair = pairOf(m, entry);
    if (pair === undefined) throw typeError(`${who} needs a map, not ${aKind(coll)}`);
    each(pair[0], pair[1]);
  }
}

function reduceKv(m: Machine, f: Value, start: Value, coll: Value): Value {
  let total = start;
  let stopped = false;
  eachEntry(m, coll, 'reduce-kv', (key, value) => {
    if (stopped) return;
    const next = eachN(m, f, [total, key, value]);
    stopped = isReduced(next);
    total = isReduced(next) ? next.value : next;
  });
  return total;
}

function updateKeys(m: Machine, coll: Value, f: Value): Value {
  const map = mapBuilder(m);
  eachEntry(m, coll, 'update-keys', (key, value) => map.add(each1(m, f, key), value));
  return map.done();
}

/** Vectors stay vectors. */
function updateVals(m: Machine, coll: Value, f: Value): Value {
  if (isVector(coll)) return vector(elements(m, coll).map((value) => each1(m, f, value)));
  const map = mapBuilder(m);
  eachEntry(m, coll, 'update-vals', (key, value) => map.add(key, each1(m, f, value)));
  return map.done();
}

function groupBy(m: Machine, f: Value, coll: Value): Value {
  const groups = mapBuilder(m);
  const lists: Value[][] = [];
  for (const item of seq(m, coll, 'group-by')) {
    const mark = each1(m, f, item);
    const known = groups.get(mark);
    if (typeof known === 'number') lists[known]?.push(item);
    else groups.add(mark, lists.push([item]) - 1);
    handle(m, 1);
  }
  const done = groups.done();
  for (let i = 0; i < done.size; i++) done.vals[i] = vector(lists[i] ?? []);
  return done;
}

function frequencies(m: Machine, coll: Value): Value {
  const counts = mapBuilder(m);
  for (const item of seq(m, coll, 'frequencies')) {
    const known = counts.get(item);
    counts.add(item, typeof known === 'number' ? known + 1 : 1);
  }
  return counts.done();
}

function empty(a: Value): Value {
  if (isVector(a)) return vector([]);
  if (isMap(a)) return emptyMap(a.order);
  return isSet(a) ? { kind: 'set', map: emptyMap(a.map.order) } : null;
}

function peek(a: Value): Value {
  if (a === null) return null;
  if (!isVector(a)) throw typeError(`peek needs a vector, not ${aKind(a)}`);
  return elementAt(a, a.size - 1);
}

function pop(a: Value): Value {
  if (a === null) return null;
  if (!isVector(a)) throw typeError(`pop needs a vector, not ${aKind(a)}`);
  if (a.size === 0) throw typeError('an empty vector has nothing to pop');
  return { ...a, size: a.size - 1, open: false };
}

function subvec(a: Value, start: Value, end: Value | undefined): Value {
  if (!isVector(a)) throw typeError(`subvec needs a vector, not ${aKind(a)}`);
  const from = whole(start, 'subvec');
  const to = end === undefined ? a.size : whole(end, 'subvec');
  if (from < 0 || to > a.size || from > to)
    throw typeError(`subvec from ${from} to ${to} is outside a vector of ${a.size}`);
  const tail = tailOf(a, from);
  return { ...tail, size: to - from };
}

function listed(m: Machine, args: readonly Value[]): Value {
  handle(m, args.length);
  return vector([...args]);
}

function toVector(m: Machine, a: Value): Vector {
  if (isVector(a) && a.raw === undefined) return a;
  const items = seq(m, a, 'vec');
  copying(m, items.length);
  return vector(items.slice());
}

/** A stable sort by natural order, or by a function. */
function sorted(m: Machine, items: readonly Value[], key: (item: Value) => Value, order: Value): Value {
  const n = items.length;
  handle(m, n * Math.ceil(Math.log2(n + 2)));
  const keyed = items.map((item) => ({ item, key: key(item) }));
  const by = order === null ? undefined : comparison(order);
  const { at } = m;
  keyed.sort((a, b) => {
    const result = by === undefined ? compare(m, a.key, b.key) : orderWith(m, by, a.key, b.key);
    m.at = at;
    return result;
  });
  return vector(keyed.map((each) => each.item));
}

function comparison(order: Value): Fn {
  if (isFn(order)) return order;
  throw typeError(
    `sorting needs a comparison function, not ${aKind(order)}`,
    '(sort-by key > coll): the comparison comes before the collection',
  );
}

export const collectionBuiltins: readonly Builtin[] = [
  builtin(
    'get',
    { two: get, three: getOr },
    '1 + c/64',
    'Returns the value under a key in either spelling, or nil (or a default)',
    '(get {"a" 1} :a)',
    '1',
  ),
  builtin(
    'get-in',
    {
      two: (m, a, path) => getPath(m, a, path) ?? null,
      three: (m, a, path, otherwise) => orElse(getPath(m, a, path), otherwise),
    },
    '1 + n',
    'Returns the value at a path, or nil (or a default)',
    '(get-in {:a [{:b 1}]} [:a 0 :b])',
    '1',
  ),
  builtin(
    'find',
    { two: find },
    '1 + c/64',
    'Returns the entry [key value] under a key, or nil',
    '(find {:a nil} :a)',
    '[:a nil]',
  ),
  builtin(
    'contains?',
    { two: contains },
    '1 + c/64',
    'Tests whether a map has a key, a set an element, or a vector an index',
    '(contains? {:a nil} :a)',
    'true',
  ),
  builtin(
    'keys',
    side('keys', 0),
    '1 + n/8',
    'Returns the keys of a map, or nil when there are none',
    '(keys {:a 1 :b 2})',
    '[:a :b]',
  ),
  builtin(
    'vals',
    side('vals', 1),
    '1 + n/8',
    'Returns the values of a map, or nil when there are none',
    '(vals {:a 1 :b 2})',
    '[1 2]',
  ),
  builtin(
    'key',
    { one: (m, a) => sideOf(m, a, 'key', 0) },
    '1',
    'Returns the key of an entry',
    '(key (first {:a 1}))',
    ':a',
  ),
  builtin(
    'val',
    { one: (m, a) => sideOf(m, a, 'val', 1) },
    '1',
    'Returns the value of an entry',
    '(val (first {:a 1}))',
    '1',
  ),
  builtin(
    'entries',
    { one: (m, a) => vector(mapEntries(m, mapArgument(a, 'entries'))) },
    '1 + n/2',
    'Returns the entries [key value] of a map',
    '(entries {:a 1})',
    '[[:a 1]]',
  ),
  builtin(
    'assoc',
    ASSOC,
    'k + 2n',
    'Sets values under keys; an existing key keeps its spelling',
    '(assoc {:a 1} :b 2)',
    '{:a 1 :b 2}',
  ),
  builtin(
    'assoc-in',
    { three: (m, a, path, value) => changePath(m, a, path, () => value) },
    '1 + 5n',
    'Sets the value at a path',
    '(assoc-in {} [:a :b] 1)',
    '{:a {:b 1}}',
  ),
  builtin(
    'update',
    {
      three: (m, a, key, f) => update(m, a, key, f, []),
      rest: (m, [a = null, key = null, f = null, ...more]) => update(m, a, key, f, more),
      min: 3,
    },
    'k + n/8',
    'Changes the value under a key by a function',
    '(update {:n 1} :n + 5)',
    '{:n 6}',
  ),
  builtin(
    'update-in',
    {
      rest: (m, [a = null, path = null, f = null, ...more]) =>
        changePath(m, a, path, (old) => eachN(m, f, [old, ...more])),
      min: 3,
    },
    'k + n',
    'Changes the value at a path by a function',
    '(update-in {:a {:n 1}} [:a :n] inc)',
    '{:a {:n 2}}',
  ),
  builtin(
    'dissoc',
    {
      one: (_, a) => a,
      two: dissocOne,
      rest: (m, [a = null, ...keys]) => keys.reduce((map, key) => dissocOne(m, map, key), a),
      min: 1,
    },
    'k + 2n',
    'Removes keys',
    '(dissoc {:a 1 :b 2} :b)',
    '{:a 1}',
  ),
  builtin(
    'merge',
    { rest: merged },
    'k + 5n',
    'Merges maps; later values win',
    '(merge {:a 1} {:b 2} {:a 3})',
    '{:a 3 :b 2}',
  ),
  builtin(
    'merge-with',
    { rest: (m, [f = null, ...maps]) => mergedWith(m, f, maps), min: 1 },
    'k + 5n',
    'Merges maps; a function combines values under the same key',
    '(merge-with + {:a 1} {:a 2})',
    '{:a 3}',
  ),
  builtin(
    'select-keys',
    { two: selectKeys },
    '5 + 2n',
    'Keeps only some keys, in the spelling of the second argument',
    '(select-keys {:a 1 :b 2} [:a])',
    '{:a 1}',
  ),
  builtin(
    'zipmap',
    { two: zipmap },
    '1 + n',
    'Makes a map from a list of keys and a list of values',
    '(zipmap [:a :b] [1 2])',
    '{:a 1 :b 2}',
  ),
  builtin(
    'hash-map',
    { rest: (m, args) => mapOf(m, args, 'hash-map') },
    '2k',
    'Makes a map from alternating keys and values',
    '(hash-map :a 1)',
    '{:a 1}',
  ),
  builtin(
    'array-map',
    { rest: (m, args) => mapOf(m, args, 'array-map') },
    '2k',
    'Makes a map from alternating keys and values',
    '(array-map :a 1)',
    '{:a 1}',
  ),
  builtin(
    'sorted-map',
    { rest: (m, args) => sortedMap(m, NATURAL, args) },
    'k log k',
    'Makes a map that sorts its keys',
    '(keys (sorted-map :b 2 :a 1))',
    '[:a :b]',
  ),
  builtin(
    'sorted-map-by',
    { rest: (m, [f = null, ...args]) => sortedMap(m, ordering(f, 'sorted-map-by'), args), min: 1 },
    'k log k',
    'Makes a map that sorts its keys by a comparison function',
    '(keys (sorted-map-by > 1 :a 2 :b))',
    '[2 1]',
  ),
  builtin(
    'reduce-kv',
    { three: reduceKv },
    '8 + 4n',
    'Combines all keys and values of a map to one value',
    '(reduce-kv (fn [a k v] (+ a v)) 0 {:a 1 :b 2})',
    '3',
  ),
  builtin(
    'update-keys',
    { two: updateKeys },
    '4 + 4n',
    'Changes each key of a map by a function',
    '(update-keys {:a 1} name)',
    '{"a" 1}',
  ),
  builtin(
    'update-vals',
    { two: updateVals },
    '4 + 4n',
    'Changes each value of a map by a function',
    '(update-vals {:a 1} inc)',
    '{:a 2}',
  ),
  builtin(
    'group-by',
    { two: groupBy },
    '1 + 3n',
    'Groups elements in a map by the result of a function',
    '(group-by odd? [1 2 3])',
    '{true [1 3] false [2]}',
  ),
  builtin(
    'frequencies',
    { one: frequencies },
    '1 + 2n',
    'Counts how often each element occurs',
    '(frequencies [:a :b :a])',
    '{:a 2 :b 1}',
  ),
  builtin(
    'conj',
    {
      zero: () => vector([]),
      one: (_, a) => a,
      two: conj,
      rest: (m, [a = null, ...items]) => items.reduce((all, item) => conj(m, all, item), a),
      min: 0,
    },
    'k + 4n',
    'Adds elements to a collection; to a vector at the end',
    '(conj [1] 2 3)',
    '[1 2 3]',
  ),
  builtin(
    'disj',
    {
      one: (_, a) => a,
      two: disjOne,
      rest: (m, [a = null, ...items]) => items.reduce((all, item) => disjOne(m, all, item), a),
      min: 1,
    },
    '1 + 2n',
    'Removes elements from a set',
    '(disj #{1 2 3} 2)',
    '#{1 3}',
  ),
  builtin(
    'into',
    { zero: () => vector([]), one: (_, a) => a, two: into },
    '1 + 3n',
    'Adds all elements of the second collection to the first',
    '(into #{} [1 1 2])',
    '#{1 2}',
  ),
  builtin(
    'empty',
    { one: (_, a) => empty(a) },
    '1',
    'Returns an empty collection of the same kind',
    '(empty {:a 1})',
    '{}',
  ),
  builtin(
    'vector',
    { rest: (m, args) => listed(m, args) },
    '2k',
    'Makes a vector of the arguments',
    '(vector 1 2)',
    '[1 2]',
  ),
  builtin(
    'list',
    { rest: (m, args) => listed(m, args) },
    '2k',
    'Makes a vector of the arguments',
    '(list 1 2)',
    '[1 2]',
  ),
  builtin('vec', { one: toVector }, '1 + n/4', 'Converts a collection to a vector', '(vec #{1})', '[1]'),
  builtin(
    'subvec',
    { two: (_, a, start) => subvec(a, start, undefined), three: (_, a, start, end) => subvec(a, start, end) },
    '1',
    'Returns the elements of a vector from a start to before an end',
    '(subvec [0 1 2 3] 1 3)',
    '[1 2]',
  ),
  builtin('peek', { one: (_, a) => peek(a) }, '1', 'Returns the last element of a vector', '(peek [1 2])', '2'),
  builtin('pop', { one: (_, a) => pop(a) }, '1', 'Removes the last element of a vector', '(pop [1 2])', '[1]'),
  builtin(
    'set',
    { one: (m, a) => (isSet(a) ? a : setOf(m, seq(m, a, 'set'))) },
    '3 + n',
    'Converts a collection to a set',
    '(set [1 1 2])',
    '#{1 2}',
  ),
  builtin(
    'hash-set',
    { rest: (m, args) => setOf(m, args) },
    '3k',
    'Makes a set of the arguments',
    '(hash-set 1 1 2)',
    '#{1 2}',
  ),
  builtin(
    'sorted-set',
    { rest: (m, args) => sortedSet(m, NATURAL, args) },
    'k log k',
    'Makes a set that sorts its elements',
    '(vec (sorted-set 3 1 2))',
    '[1 2 3]',
  ),
  builtin(
    'sorted-set-by',
    { rest: (m, [f = null, ...args]) => sortedSet(m, ordering(f, 'sorted-set-by'), args), min: 1 },
    'k log k',
    'Makes a set that sorts its elements by a comparison function',
    '(vec (sorted-set-by > 1 3 2))',
    '[3 2 1]',
  ),
  builtin(
    'subseq',
    subSequence(false),
    '1 + 5n',
    'Returns the part of a sorted collection within bounds',
    '(subseq (sorted-set 1 2 3) > 1)',
    '[2 3]',
  ),
  builtin(
    'rsubseq',
    subSequence(true),
    '1 + 5n',
    'Returns the part of a sorted collection within bounds, in reverse order',
    '(rsubseq (sorted-set 1 2 3) > 1)',
    '[3 2]',
  ),
  builtin(
    'sort',
    {
      one: (m, a) => sorted(m, seq(m, a, 'sort'), (item) => item, null),
      two: (m, f, a) => sorted(m, seq(m, a, 'sort'), (item) => item, comparison(f)),
    },
    '2n log n',
    'Sorts in natural order, or by a comparison function',
    '(sort > [1 3 2])',
    '[3 2 1]',
  ),
  builtin(
    'sort-by',
    {
      two: (m, f, a) => sorted(m, seq(m, a, 'sort-by'), (item) => each1(m, f, item), null),
      three: (m, f, order, a) => {
        const by = comparison(order);
        return sorted(m, seq(m, a, 'sort-by'), (item) => each1(m, f, item), by);
      },
    },
    '2n log n',
    'Sorts by the result of a function',
    '(sort-by :n [{:n 2} {:n 1}])',
    '[{:n 1} {:n 2}]',
  ),
];

function mapArgument(value: Value, who: string): MapValue {
  if (isMap(value)) return value;
  if (value === null) return emptyMap();
  throw typeError(`${who} needs a map, not ${aKind(value)}`);
}
