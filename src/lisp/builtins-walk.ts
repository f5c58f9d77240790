// Builtins of clojure.walk.
import { type Builtin, builtin } from './builtin.ts';
import { conj } from './collection.ts';
import { elements, settle } from './host.ts';
import { each1, getIn, orElse } from './invoke.ts';
import { burn, enter, handle, leave } from './machine.ts';
import { assoc, emptyMap, mapEntries, setItems, setOf } from './map.ts';
import { isKeyword, isMap, isSet, isVector, keyword, type Machine, type Value, vector } from './value.ts';

/** The table's entry for a value, else the value itself. */
function replaced(m: Machine, table: Value, value: Value): Value {
  burn(m, 3);
  return orElse(getIn(m, table, value), value);
}

/** Applies a change to each part of a collection and keeps its kind; other values stay. */
function parts(m: Machine, value: Value, change: (part: Value) => Value): Value {
  if (isVector(value)) {
    handle(m, value.size);
    return vector(elements(m, value).map(change));
  }
  if (isSet(value)) {
    const items = setItems(m, value);
    handle(m, items.length);
    return setOf(m, items.map(change));
  }
  if (!isMap(value)) return value;
  return mapEntries(m, value).reduce((all: Value, entry) => {
    handle(m, 1);
    return conj(m, all, change(entry));
  }, emptyMap());
}

function nested(m: Machine, step: () => Value): Value {
  enter(m);
  const result = step();
  leave(m);
  return result;
}

function postwalk(m: Machine, change: (value: Value) => Value, value: Value): Value {
  return nested(m, () => change(parts(m, value, (part) => postwalk(m, change, part))));
}

function prewalk(m: Machine, change: (value: Value) => Value, value: Value): Value {
  return nested(m, () => parts(m, change(value), (part) => prewalk(m, change, part)));
}

/** Renames the keys of all maps at every depth, inner maps first. */
function onKeys(m: Machine, rename: (key: Value) => Value, value: Value): Value {
  return nested(m, () => {
    if (!isMap(value)) return parts(m, value, (part) => onKeys(m, rename, part));
    const { keys, vals, size } = settle(m, value);
    let all = emptyMap();
    for (let i = 0; i < size; i++) {
      handle(m, 4);
      const key = rename(onKeys(m, rename, keys[i] ?? null));
      all = assoc(m, all, key, onKeys(m, rename, vals[i] ?? null));
    }
    return all;
  });
}

export const walkBuiltins: readonly Builtin[] = [
  builtin(
    'walk/walk',
    {
      three: (m, inner, outer, a) =>
        each1(
          m,
          outer,
          parts(m, a, (part) => each1(m, inner, part)),
        ),
    },
    '2 + 2n',
    'Changes each part by one function, and then the whole by another',
    '(walk/walk inc vec [1 2])',
    '[2 3]',
  ),
  builtin(
    'walk/postwalk',
    { two: (m, f, a) => postwalk(m, (value) => each1(m, f, value), a) },
    '3 + 6n',
    'Changes every value at every depth by a function, parts before their whole',
    '(walk/postwalk (fn [x] (if (number? x) (inc x) x)) [1 [2]])',
    '[2 [3]]',
  ),
  builtin(
    'walk/prewalk',
    { two: (m, f, a) => prewalk(m, (value) => each1(m, f, value), a) },
    '3 + 6n',
    'Changes every value at every depth by a function, a whole before its parts',
    '(walk/prewalk (fn [x] (if (number? x) (inc x) x)) [1 [2]])',
    '[2 [3]]',
  ),
  builtin(
    'walk/postwalk-replace',
    { two: (m, table, a) => postwalk(m, (value) => replaced(m, table, value), a) },
    '6 + 8n',
    'Replaces values that are keys of a map at every depth, parts before their whole',
    '(walk/postwalk-replace {:a :x} [:a [:a]])',
    '[:x [:x]]',
  ),
  builtin(
    'walk/prewalk-replace',
    { two: (m, table, a) => prewalk(m, (value) => replaced(m, table, value), a) },
    '6 + 8n',
    'Replaces values that are keys of a map at every depth, a whole before its parts',
    '(walk/prewalk-replace {:a :x} [:a [:a]])',
    '[:x [:x]]',
  ),
  builtin(
    'walk/keywordize-keys',
    {
      one: (m, a) =>
        onKeys(
          m,
          (key) => {
            if (typeof key !== 'string') return key;
            burn(m, 6 + (key.length >> 4));
            return keyword(key);
          },
          a,
        ),
    },
    '9 + 11n',
    'Converts string keys to keywords at every depth',
    '(walk/keywordize-keys {"a" {"b" 1}})',
    '{:a {:b 1}}',
  ),
  builtin(
    'walk/stringify-keys',
    { one: (m, a) => onKeys(m, (key) => (isKeyword(key) ? key.name : key), a) },
    '9 + 5n',
    'Converts keyword keys to strings at every depth',
    '(walk/stringify-keys {:a {:b 1}})',
    '{"a" {"b" 1}}',
  ),
];
