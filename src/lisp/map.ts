// Maps: lookups that accept both spellings of a key, and writes that leave older versions unchanged.
import { elements, hostProperty, settle, textKey } from './host.ts';
import { keyOf } from './key.ts';
import { allocate, burn, copying, scan } from './machine.ts';
import { orderWith } from './order.ts';
import {
  type Fn,
  isKeyword,
  type Key,
  type Machine,
  type MapValue,
  type SetValue,
  type Value,
  type Vector,
  vector,
} from './value.ts';

export function emptyMap(order?: Fn): MapValue {
  return { kind: 'map', size: 0, index: new Map(), keys: [], vals: [], raw: undefined, order };
}

export function mapSize(m: Machine, map: MapValue): number {
  if (map.raw === undefined) return map.size;
  const size = Object.keys(map.raw).length;
  burn(m, size);
  return size;
}

function slotOf(map: MapValue, key: Key): number {
  const slot = map.index.get(key);
  return slot === undefined || slot >= map.size ? -1 : slot;
}

function slotOfValue(m: Machine, map: MapValue, key: Value): number {
  if (map.order !== undefined) return orderedSlot(m, map, map.order, key);
  return slotOf(map, keyOf(m, key));
}

/** The position of a key in a sorted map, or `-1 - slot` where it belongs. */
function orderedSlot(m: Machine, map: MapValue, order: Fn, key: Value): number {
  let low = 0;
  let high = map.size;
  while (low < high) {
    const middle = (low + high) >> 1;
    const compared = orderWith(m, order, map.keys[middle] ?? null, key);
    if (compared === 0) return middle;
    if (compared < 0) low = middle + 1;
    else high = middle;
  }
  return -1 - low;
}

/** The value under exactly this key; undefined when absent. */
export function lookupExact(m: Machine, map: MapValue, key: Value): Value | undefined {
  if (map.raw !== undefined) {
    if (typeof key !== 'string') return undefined;
    scan(m, key);
    return hostProperty(map.raw, key);
  }
  const slot = slotOfValue(m, map, key);
  return slot < 0 ? undefined : (map.vals[slot] ?? null);
}

/** The value under a key or its other spelling (`:a` and `"a"`, `:a-b` and `"a_b"`), exact match first; undefined when absent. */
export function lookup(m: Machine, map: MapValue, key: Value): Value | undefined {
  if (map.raw !== undefined) {
    if (typeof key === 'string') {
      scan(m, key);
      return hostProperty(map.raw, key);
    }
    if (!isKeyword(key)) return undefined;
    scan(m, key.name);
    const exact = hostProperty(map.raw, key.name);
    return exact !== undefined || key.flex === key.name ? exact : hostProperty(map.raw, key.flex);
  }
  const slot = flexibleSlot(m, map, key);
  return slot < 0 ? undefined : (map.vals[slot] ?? null);
}

function flexibleSlot(m: Machine, map: MapValue, key: Value): number {
  if (map.order !== undefined) return orderedSlot(m, map, map.order, key);
  if (typeof key === 'string') {
    scan(m, key);
    const exact = slotOf(map, textKey(key));
    return exact >= 0 ? exact : slotOf(map, `\u0000:${key}`);
  }
  if (isKeyword(key)) {
    scan(m, key.name);
    const exact = slotOf(map, key.key);
    if (exact >= 0) return exact;
    const text = slotOf(map, textKey(key.name));
    if (text >= 0 || key.flex === key.name) return text;
    const flex = slotOf(map, `\u0000:${key.flex}`);
    return flex >= 0 ? flex : slotOf(map, textKey(key.flex));
  }
  return slotOf(map, keyOf(m, key));
}

/** The entry as `[key value]`, with the key as spelled in the map. */
export function entryOf(m: Machine, map: MapValue, key: Value): Vector | undefined {
  settle(m, map);
  const slot = flexibleSlot(m, map, key);
  return slot < 0 ? undefined : vector([map.keys[slot] ?? null, map.vals[slot] ?? null]);
}

/** Writes under the same spelling that `lookup` would find. */
export function assoc(m: Machine, map: MapValue, key: Value, value: Value): MapValue {
  settle(m, map);
  return put(m, map, flexibleSlot(m, map, key), key, value);
}

/** Writes under exactly this key, for literals, sets and `zipmap`. */
export function assocExact(m: Machine, map: MapValue, key: Value, value: Value): MapValue {
  settle(m, map);
  return put(m, map, slotOfValue(m, map, key), key, value);
}

/** Fuel for a new entry, besides the fuel of the caller. */
const NEW_ENTRY = 2;

function put(m: Machine, map: MapValue, slot: number, key: Value, value: Value): MapValue {
  if (slot >= 0) {
    copying(m, map.size);
    const vals = map.vals.slice(0, map.size);
    vals[slot] = value;
    return { kind: 'map', size: map.size, index: map.index, keys: map.keys, vals, raw: undefined, order: map.order };
  }
  if (map.order !== undefined) return insert(m, map, -1 - slot, key, value);
  const base = map.keys.length === map.size && map.vals.length === map.size ? map : own(m, map);
  burn(m, NEW_ENTRY);
  allocate(m, 4);
  base.index.set(keyOf(m, key), base.size);
  base.keys.push(key);
  base.vals.push(value);
  return {
    kind: 'map',
    size: base.size + 1,
    index: base.index,
    keys: base.keys,
    vals: base.vals,
    raw: undefined,
    order: undefined,
  };
}

function insert(m: Machine, map: MapValue, at: number, key: Value, value: Value): MapValue {
  copying(m, map.size * 2);
  const keys = map.keys.toSpliced(at, 0, key);
  const vals = map.vals.toSpliced(at, 0, value);
  return { kind: 'map', size: keys.length, index: map.index, keys, vals, raw: undefined, order: map.order };
}

/** A copy with its own storage, without the entry in slot `left`. */
function own(m: Machine, map: MapValue, left = map.size): MapValue {
  burn(m, map.size + (map.size >> 1));
  allocate(m, map.size * 4);
  const index = new Map<Key, number>();
  for (const [key, at] of map.index) {
    // Entries beyond `size` belong to later versions that share the storage.
    if (at >= map.size) break;
    if (at !== left) index.set(key, at < left ? at : at - 1);
  }
  const keys = map.keys.slice(0, map.size).toSpliced(left, 1);
  const vals = map.vals.slice(0, map.size).toSpliced(left, 1);
  return { kind: 'map', size: keys.length, index, keys, vals, raw: undefined, order: undefined };
}

/** Adds to a map under construction that nobody else has seen. */
function store(m: Machine, building: MapValue, key: Value, value: Value): void {
  const at = keyOf(m, key);
  const slot = building.index.get(at);
  if (slot !== undefined) {
    building.vals[slot] = value;
    return;
  }
  append(building, at, key, value);
}

function append(building: MapValue, at: Key, key: Value, value: Value): void {
  building.index.set(at, building.size);
  building.keys.push(key);
  building.vals.push(value);
  building.size += 1;
}

/** Builds a map with exact keys; later values win. */
export function mapBuilder(m: Machine): {
  add(key: Value, value: Value): void;
  /** Adds the entry unless the key exists, and returns whether it was added. */
  addNew(key: Value, value: Value): boolean;
  get(key: Value): Value | undefined;
  done(): MapValue;
} {
  const building = emptyMap();
  return {
    add(key, value) {
      burn(m, 1);
      allocate(m, 4);
      store(m, building, key, value);
    },
    addNew(key, value) {
      burn(m, 1);
      const at = keyOf(m, key);
      if (building.index.has(at)) return false;
      burn(m, 1);
      allocate(m, 4);
      append(building, at, key, value);
      return true;
    },
    get(key) {
      burn(m, 1);
      const slot = building.index.get(keyOf(m, key));
      return slot === undefined ? undefined : (building.vals[slot] ?? null);
    },
    done: () => building,
  };
}

export function dissoc(m: Machine, map: MapValue, key: Value): MapValue {
  settle(m, map);
  return without(m, map, flexibleSlot(m, map, key));
}

function without(m: Machine, map: MapValue, slot: number): MapValue {
  if (slot < 0) return map;
  if (map.order !== undefined) {
    copying(m, map.size * 2);
    const keys = map.keys.toSpliced(slot, 1);
    return {
      kind: 'map',
      size: keys.length,
      index: map.index,
      keys,
      vals: map.vals.toSpliced(slot, 1),
      raw: undefined,
      order: map.order,
    };
  }
  return own(m, map, slot);
}

/** The keys in order. */
export function mapKeys(m: Machine, map: MapValue): Value[] {
  settle(m, map);
  copying(m, map.size);
  return map.keys.slice(0, map.size);
}

export function mapVals(m: Machine, map: MapValue): Value[] {
  settle(m, map);
  copying(m, map.size);
  return map.vals.slice(0, map.size);
}

/** The `[key value]` pair at a position; nil beyond the end. */
export function entryAt(m: Machine, map: MapValue, index: number): Value {
  settle(m, map);
  return index >= 0 && index < map.size ? vector([map.keys[index] ?? null, map.vals[index] ?? null]) : null;
}

/** All `[key value]` pairs in order. */
export function mapEntries(m: Machine, map: MapValue): Value[] {
  settle(m, map);
  burn(m, map.size >> 1);
  allocate(m, map.size * 3);
  const pairs = new Array<Value>(map.size);
  for (let i = 0; i < map.size; i++) pairs[i] = vector([map.keys[i] ?? null, map.vals[i] ?? null]);
  return pairs;
}

export function setOf(m: Machine, items: Iterable<Value>): SetValue {
  const building = mapBuilder(m);
  for (const item of items) building.addNew(item, item);
  return { kind: 'set', map: building.done() };
}

export function setHas(m: Machine, set: SetValue, item: Value): boolean {
  return slotOfValue(m, set.map, item) >= 0;
}

export function setAdd(m: Machine, set: SetValue, item: Value): SetValue {
  return setHas(m, set, item) ? set : { kind: 'set', map: assocExact(m, set.map, item, item) };
}

export function setRemove(m: Machine, set: SetValue, item: Value): SetValue {
  const slot = slotOfValue(m, set.map, item);
  return slot < 0 ? set : { kind: 'set', map: without(m, set.map, slot) };
}

export function setItems(m: Machine, set: SetValue): Value[] {
  return mapKeys(m, set.map);
}

/** The pair in a value that `conj` and `into` accept for a map; undefined for other values. */
export function pairOf(m: Machine, value: Value): readonly [Value, Value] | undefined {
  if (typeof value !== 'object' || value === null || value.kind !== 'vector' || value.size !== 2) return undefined;
  const items = elements(m, value);
  return [items[0] ?? null, items[1] ?? null];
}
