// Writes to collections: conj, assoc, update, merge and into, for maps, vectors, sets and nil.
import { whole } from './arithmetic.ts';
import { typeError } from './exception.ts';
import { elementAt, elements, finite } from './host.ts';
import { eachN, getIn } from './invoke.ts';
import { allocate, burn, copying, enter, leave } from './machine.ts';
import { assoc, dissoc, emptyMap, mapEntries, pairOf, setAdd, setRemove } from './map.ts';
import { seq } from './seq.ts';
import { aKind, isMap, isSet, isVector, type Machine, type Value, type Vector, vector } from './value.ts';

function append(m: Machine, v: Vector, item: Value): Vector {
  if (v.open && v.own.length === v.start + v.size) {
    allocate(m, 2);
    v.own.push(item);
    return { kind: 'vector', size: v.size + 1, start: v.start, own: v.own, raw: undefined, open: true };
  }
  copying(m, v.size + 1);
  const own = elements(m, v).concat([item]);
  return { kind: 'vector', size: own.length, start: 0, own, raw: undefined, open: true };
}

/** Adds an element where it is cheap: at the end of a vector. A map takes an entry or another map. */
export function conj(m: Machine, coll: Value, item: Value): Value {
  if (coll === null) return vector([item]);
  if (isVector(coll)) return append(m, coll, item);
  if (isSet(coll)) return setAdd(m, coll, item);
  if (isMap(coll)) return item === null ? coll : conjMap(m, coll, item);
  throw typeError(`conj needs a collection, not ${aKind(coll)}`);
}

function conjMap(m: Machine, map: Value, item: Value): Value {
  if (isMap(item)) {
    return mapEntries(m, item).reduce((all: Value, entry) => {
      burn(m, 1);
      return conjMap(m, all, entry);
    }, map);
  }
  const pair = pairOf(m, item);
  if (pair === undefined || !isMap(map))
    throw typeError(`only entries [key value] and maps can be added to a map, not ${aKind(item)}`);
  return assoc(m, map, pair[0], pair[1]);
}

export function assocOne(m: Machine, coll: Value, key: Value, value: Value): Value {
  if (coll === null) {
    burn(m, 2);
    return assoc(m, emptyMap(), key, value);
  }
  if (isMap(coll)) return assoc(m, coll, key, value);
  if (isVector(coll)) return assocVector(m, coll, key, value);
  throw typeError(`assoc needs a map or a vector, not ${aKind(coll)}`);
}

function assocVector(m: Machine, v: Vector, key: Value, value: Value): Vector {
  if (typeof key !== 'number' || !Number.isInteger(key)) {
    throw typeError(`assoc on a vector needs an index, not ${typeof key === 'number' ? 'a fraction' : aKind(key)}`);
  }
  const at = whole(key, 'assoc');
  if (at === v.size) return append(m, v, value);
  if (at < 0 || at > v.size) throw typeError(`index ${at} is outside a vector of ${v.size}`);
  copying(m, v.size);
  const own = elements(m, v).slice();
  own[at] = value;
  return vector(own);
}

export function dissocOne(m: Machine, coll: Value, key: Value): Value {
  if (coll === null) return null;
  if (isMap(coll)) return dissoc(m, coll, key);
  throw typeError(`dissoc needs a map, not ${aKind(coll)}`);
}

export function disjOne(m: Machine, coll: Value, item: Value): Value {
  if (coll === null) return null;
  if (isSet(coll)) return setRemove(m, coll, item);
  throw typeError(`disj needs a set, not ${aKind(coll)}`);
}

/** The value at a path; undefined when a step finds nothing. */
export function getPath(m: Machine, from: Value, path: Value): Value | undefined {
  let at: Value = from;
  if (isVector(path) && path.raw === undefined) {
    burn(m, finite(path).size);
    for (let i = 0; i < path.size; i++) {
      const next = getIn(m, at, elementAt(path, i));
      if (next === undefined) return undefined;
      at = next;
    }
    return at;
  }
  for (const key of seq(m, path, 'get-in')) {
    burn(m, 1);
    const next = getIn(m, at, key);
    if (next === undefined) return undefined;
    at = next;
  }
  return at;
}

/** Changes the value at a path. An empty path means the key nil, as in Clojure. */
export function changePath(m: Machine, coll: Value, path: Value, change: (old: Value) => Value): Value {
  const keys = seq(m, path, 'a path');
  burn(m, keys.length);
  const walk = (at: Value, i: number): Value => {
    const key = keys[i] ?? null;
    if (i >= keys.length - 1) return assocOne(m, at, key, change(getIn(m, at, key) ?? null));
    enter(m);
    const inner = walk(getIn(m, at, key) ?? null, i + 1);
    leave(m);
    return assocOne(m, at, key, inner);
  };
  return walk(coll, 0);
}

export function merged(m: Machine, maps: readonly Value[]): Value {
  if (maps.every((map) => map === null)) return null;
  return maps.reduce((all, map) => {
    burn(m, 1);
    if (all === null) return map;
    return map === null ? all : conj(m, all, map);
  }, null);
}

export function mergedWith(m: Machine, f: Value, maps: readonly Value[]): Value {
  if (maps.every((map) => map === null)) return null;
  return maps.reduce((all, map) => {
    burn(m, 1);
    if (all === null) return map;
    if (map === null) return all;
    let result: Value = all;
    for (const entry of seq(m, map, 'merge-with')) {
      burn(m, 2);
      const pair = pairOf(m, entry);
      if (pair === undefined) throw typeError(`merge-with needs maps, not ${aKind(map)}`);
      const old = getIn(m, result, pair[0]);
      result = assocOne(m, result, pair[0], old === undefined ? pair[1] : eachN(m, f, [old, pair[1]]));
    }
    return result;
  }, null);
}

export function into(m: Machine, to: Value, from: Value): Value {
  if (from === null) return to;
  const items = seq(m, from, 'into');
  if (isVector(to)) {
    copying(m, to.size);
    burn(m, items.length);
    allocate(m, items.length);
    return vector([...elements(m, to), ...items]);
  }
  return items.reduce((all: Value, item) => {
    burn(m, 1);
    return conj(m, all, item);
  }, to);
}

/** Passes the pairs of `k v k v …` on one by one. */
export function pairs(m: Machine, args: readonly Value[], each: (key: Value, value: Value) => void): void {
  for (let i = 0; i < args.length; i += 2) {
    burn(m, 1);
    each(args[i] ?? null, args[i + 1] ?? null);
  }
}
