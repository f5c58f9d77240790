// Host data as Lisp values: objects and arrays are wrapped, and their parts are converted when they are read.

import { limitError, typeError } from './exception.ts';
import { allocate, burn } from './machine.ts';
import {
  type HostObject,
  hostMap,
  hostVector,
  type Key,
  type Machine,
  type MapValue,
  type Value,
  type Vector,
} from './value.ts';

function isHostObject(value: unknown): value is HostObject {
  return typeof value === 'object' && value !== null;
}

export function isHostArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Constant time. Accepts only JSON: functions, symbols and other host objects are type errors, so that no program can reach them. */
export function fromHost(value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === undefined || value === null) return null;
  if (isHostArray(value)) return hostVector(value);
  if (isHostObject(value)) return hostMap(value);
  throw typeError(`the data holds a ${typeof value}, which is not JSON`);
}

/** An own property; undefined when absent, even for names such as `constructor`. */
export function hostProperty(raw: HostObject, key: string): Value | undefined {
  return Object.hasOwn(raw, key) ? fromHost(raw[key]) : undefined;
}

/** The element; nil beyond the end. */
export function elementAt(v: Vector, index: number): Value {
  if (index >= v.size || index < 0) return null;
  const { raw } = v;
  const at = v.start + index;
  if (raw === undefined) return v.own[at] ?? null;
  return isHostArray(raw) ? fromHost(raw[at]) : raw.element(at);
}

export function endlessError() {
  return limitError('an infinite sequence cannot be read to its end', 'take a part of the sequence: (take n …)');
}

/** The vector. @throws LispException when it is infinite */
export function finite(v: Vector): Vector {
  if (v.size === Number.POSITIVE_INFINITY) throw endlessError();
  return v;
}

/** All elements in an array that must not be changed. */
export function elements(m: Machine, v: Vector): readonly Value[] {
  const { raw, size, start } = v;
  if (raw !== undefined) {
    if (!isHostArray(raw)) throw endlessError();
    burn(m, size);
    allocate(m, size);
    const own = new Array<Value>(size);
    for (let i = 0; i < size; i++) own[i] = fromHost(raw[start + i]);
    v.own = own;
    v.start = 0;
    v.raw = undefined;
    return own;
  }
  v.open = false;
  if (start === 0 && v.own.length === size) return v.own;
  burn(m, size >> 6);
  allocate(m, size);
  return v.own.slice(start, start + size);
}

/** Converts a host object to a map that can be walked; constant time if that was done before. */
export function settle(m: Machine, map: MapValue): MapValue {
  const raw = map.raw;
  if (raw === undefined) return map;
  const names = Object.keys(raw);
  burn(m, names.length);
  allocate(m, names.length * 2);
  const index = new Map<Key, number>();
  const vals: Value[] = [];
  for (const name of names) {
    index.set(textKey(name), vals.length);
    vals.push(fromHost(raw[name]));
  }
  map.index = index;
  map.keys = names;
  map.vals = vals;
  map.size = names.length;
  map.raw = undefined;
  return map;
}

/** The key of a string: the string itself, unless it looks like the key of another kind of value. */
export function textKey(text: string): Key {
  return text.charCodeAt(0) === 0 ? `\u0000"${text}` : text;
}
