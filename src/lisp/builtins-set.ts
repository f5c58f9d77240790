// Builtins of clojure.set; sets of maps are relations.
import { type Builtin, builtin } from './builtin.ts';
import { conj, disjOne } from './collection.ts';
import { typeError } from './exception.ts';
import { each1, getIn } from './invoke.ts';
import { burn } from './machine.ts';
import {
  assocExact,
  dissoc,
  emptyMap,
  mapBuilder,
  mapEntries,
  mapKeys,
  pairOf,
  setHas,
  setItems,
  setOf,
} from './map.ts';
import { seq } from './seq.ts';
import {
  aKind,
  isMap,
  isSet,
  isVector,
  kindOf,
  type Machine,
  type MapValue,
  type SetValue,
  truthy,
  type Value,
  vector,
} from './value.ts';

function asSet(m: Machine, value: Value, who: string): SetValue {
  if (value === null) return setOf(m, []);
  if (isSet(value)) return value;
  throw typeError(`${who} needs sets, not ${aKind(value)}`, 'make a set with (set xs)');
}

function union(m: Machine, sets: readonly Value[]): Value {
  return sets.reduce((all, each) => {
    if (all === null) return each;
    burn(m, 1);
    return seq(m, each, 'set/union').reduce((whole, item) => {
      burn(m, 2);
      return conj(m, whole, item);
    }, all);
  }, null);
}

function intersection(m: Machine, sets: readonly Value[]): Value {
  const [first = null, ...others] = sets;
  return others.reduce((all, each) => {
    if (all === null || each === null) return null;
    return filtered(m, asSet(m, all, 'set/intersection'), (item) => contains(m, each, item, 'set/intersection'));
  }, first);
}

/** Membership as `contains?` defines it when the second argument is no set. */
function contains(m: Machine, coll: Value, item: Value, who: string): boolean {
  if (isSet(coll)) return setHas(m, coll, item);
  if (isMap(coll) || isVector(coll)) return getIn(m, coll, item) !== undefined;
  throw typeError(`${who} needs sets, not ${aKind(coll)}`);
}

function difference(m: Machine, sets: readonly Value[]): Value {
  const [first = null, ...others] = sets;
  return others.reduce((all, each) => {
    if (all === null || each === null) return all;
    return seq(m, each, 'set/difference').reduce((rest, item) => {
      burn(m, 1);
      return disjOne(m, rest, item);
    }, all);
  }, first);
}

function filtered(m: Machine, set: SetValue, keep: (item: Value) => boolean): SetValue {
  return setOf(
    m,
    setItems(m, set).filter((item) => {
      burn(m, 2);
      return keep(item);
    }),
  );
}

function within(m: Machine, a: Value, b: Value): boolean {
  const larger = asSet(m, b, 'set/subset?');
  return setItems(m, asSet(m, a, 'set/subset?')).every((item) => {
    burn(m, 1);
    return setHas(m, larger, item);
  });
}

function relation(m: Machine, value: Value, who: string): readonly MapValue[] {
  return seq(m, value, who).map((each) => {
    burn(m, 1);
    if (isMap(each)) return each;
    throw typeError(`${who} needs a set of maps, not of ${kindOf(each)}`);
  });
}

function only(m: Machine, map: MapValue, keys: readonly Value[]): MapValue {
  burn(m, 16);
  const some = mapBuilder(m);
  for (const key of keys) {
    burn(m, 1);
    const value = getIn(m, map, key);
    if (value !== undefined) some.add(key, value);
  }
  return some.done();
}

function renamed(m: Machine, map: MapValue, names: Value): MapValue {
  if (!isMap(names)) throw typeError(`set/rename-keys needs a map of names, not ${aKind(names)}`);
  let result = map;
  const moved: [Value, Value][] = [];
  for (const entry of mapEntries(m, names)) {
    burn(m, 2);
    const [from, to] = pairOf(m, entry) ?? [null, null];
    const value = getIn(m, map, from);
    if (value === undefined) continue;
    moved.push([to, value]);
    result = dissoc(m, result, from);
  }
  return moved.reduce((all, [key, value]) => assocExact(m, all, key, value), result);
}

function grouped(m: Machine, maps: readonly MapValue[], keys: readonly Value[]): MapValue {
  const groups = mapBuilder(m);
  for (const map of maps) {
    const mark = only(m, map, keys);
    const known = groups.get(mark);
    groups.add(mark, conj(m, known ?? setOf(m, []), map));
  }
  return groups.done();
}

/** Merges maps that agree on the common keys, or on the pairs in `names`. */
function join(m: Machine, left: Value, right: Value, names: Value): Value {
  const a = relation(m, left, 'set/join');
  const b = relation(m, right, 'set/join');
  const [firstA] = a;
  const [firstB] = b;
  if (firstA === undefined || firstB === undefined) return setOf(m, []);
  const shared =
    names === null
      ? mapKeys(m, firstA)
          .filter((key) => getIn(m, firstB, key) !== undefined)
          .map((key) => [key, key] as const)
      : pairsOf(m, names);
  const index = mapBuilder(m);
  for (const map of b) {
    burn(m, 1 + shared.length);
    const mark = vector(shared.map(([, key]) => getIn(m, map, key) ?? null));
    index.add(mark, conj(m, index.get(mark) ?? vector([]), map));
  }
  const joined: Value[] = [];
  for (const map of a) {
    burn(m, 1 + shared.length);
    const mark = vector(shared.map(([key]) => getIn(m, map, key) ?? null));
    for (const other of seq(m, index.get(mark) ?? null, 'set/join')) {
      burn(m, 1);
      joined.push(conj(m, map, other));
    }
  }
  return setOf(m, joined);
}

function pairsOf(m: Machine, names: Value): (readonly [Value, Value])[] {
  if (!isMap(names)) throw typeError(`set/join needs a map of names, not ${aKind(names)}`);
  return mapEntries(m, names).flatMap((entry) => {
    const pair = pairOf(m, entry);
    return pair === undefined ? [] : [pair];
  });
}

function invert(m: Machine, value: Value): Value {
  if (!isMap(value)) throw typeError(`set/map-invert needs a map, not ${aKind(value)}`);
  return mapEntries(m, value).reduce((all: MapValue, entry) => {
    const [key, each] = pairOf(m, entry) ?? [null, null];
    burn(m, 1);
    return assocExact(m, all, each, key);
  }, emptyMap());
}

export const setBuiltins: readonly Builtin[] = [
  builtin(
    'set/union',
    { rest: (m, sets) => (sets.length === 0 ? setOf(m, []) : union(m, sets)) },
    'k + 5n',
    'Returns the elements of any set',
    '(set/union #{1} #{2})',
    '#{1 2}',
  ),
  builtin(
    'set/intersection',
    { rest: intersection, min: 1 },
    'k + 4n',
    'Returns the elements that all sets have',
    '(set/intersection #{1 2} #{2 3})',
    '#{2}',
  ),
  builtin(
    'set/difference',
    { rest: difference, min: 1 },
    'k + n²',
    'Returns the elements of the first set that no other set has',
    '(set/difference #{1 2} #{2})',
    '#{1}',
  ),
  builtin(
    'set/select',
    { two: (m, f, a) => filtered(m, asSet(m, a, 'set/select'), (item) => truthy(each1(m, f, item))) },
    '1 + 5n',
    'Keeps the elements of a set that satisfy a predicate',
    '(set/select odd? #{1 2 3})',
    '#{1 3}',
  ),
  builtin(
    'set/subset?',
    { two: within },
    '1 + n',
    'Tests whether the second set has all elements of the first',
    '(set/subset? #{1} #{1 2})',
    'true',
  ),
  builtin(
    'set/superset?',
    { two: (m, a, b) => within(m, b, a) },
    '1 + n',
    'Tests whether the first set has all elements of the second',
    '(set/superset? #{1 2} #{1})',
    'true',
  ),
  builtin(
    'set/project',
    {
      two: (m, a, keys) =>
        setOf(
          m,
          relation(m, a, 'set/project').map((map) => only(m, map, seq(m, keys, 'set/project'))),
        ),
    },
    '1 + 20n',
    'Keeps only some keys of each map',
    '(set/project #{{:a 1 :b 2}} [:a])',
    '#{{:a 1}}',
  ),
  builtin(
    'set/rename-keys',
    { two: (m, a, names) => (isMap(a) ? renamed(m, a, names) : a) },
    '1 + n²',
    'Renames keys of a map',
    '(set/rename-keys {:a 1} {:a :b})',
    '{:b 1}',
  ),
  builtin(
    'set/rename',
    {
      two: (m, a, names) =>
        setOf(
          m,
          relation(m, a, 'set/rename').map((map) => renamed(m, map, names)),
        ),
    },
    '1 + n²',
    'Renames keys of each map',
    '(set/rename #{{:a 1}} {:a :b})',
    '#{{:b 1}}',
  ),
  builtin(
    'set/map-invert',
    { one: invert },
    '2 + 4n',
    'Swaps the keys and values of a map',
    '(set/map-invert {:a 1})',
    '{1 :a}',
  ),
  builtin(
    'set/index',
    { two: (m, a, keys) => grouped(m, relation(m, a, 'set/index'), seq(m, keys, 'set/index')) },
    '1 + 20n',
    'Groups maps by the values of some keys',
    '(set/index #{{:a 1 :b 2}} [:a])',
    '{{:a 1} #{{:a 1 :b 2}}}',
  ),
  builtin(
    'set/join',
    { two: (m, a, b) => join(m, a, b, null), three: join },
    '1 + 4n',
    'Merges each map of one relation with each matching map of another',
    '(set/join #{{:a 1 :b 2}} #{{:a 1 :c 3}})',
    '#{{:a 1 :b 2 :c 3}}',
  ),
];
