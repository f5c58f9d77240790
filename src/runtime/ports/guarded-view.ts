// A view of a run that throws when a program writes to it, for tests and for --paranoid.
import { Fault } from '../../base/fault.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import type { RunState } from '../../engine/state/state.ts';

const WRITERS: ReadonlySet<PropertyKey> = new Set(['set', 'add', 'delete', 'clear']);

/** Each object has one view, so that views can be compared. */
const views = new WeakMap<object, object>();

/** Every object that is read through the view is guarded too. @throws Fault when the view or anything in it is written to */
export function guardedView(state: RunState): RunView {
  return guarded(state);
}

function guarded<T>(value: T): T;
function guarded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  const known = views.get(value);
  if (known !== undefined) return known;
  const view = new Proxy(value, value instanceof Map || value instanceof Set ? collection : record);
  views.set(value, view);
  views.set(view, view);
  return view;
}

/** Objects of libraries are not wrapped: the methods of a run's graph that write throw by themselves. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || PLAIN.has(prototype);
}

const PLAIN: ReadonlySet<unknown> = new Set([null, Object.prototype, Map.prototype, Set.prototype]);

function refuse(target: object, key: PropertyKey): never {
  const name = target instanceof Map || target instanceof Set ? 'a collection' : 'a value';
  throw new Fault(`a reader wrote to ${name} of a run (${String(key)}): a view of a run can only be read`);
}

const record: ProxyHandler<object> = {
  get(target, key) {
    const value: unknown = Reflect.get(target, key);
    // A proxy must return the very value of a frozen property. A frozen object refuses writes by itself.
    return isFixed(target, key) ? value : guarded(value);
  },
  set: refuse,
  deleteProperty: refuse,
  defineProperty: refuse,
  setPrototypeOf: (target) => refuse(target, 'prototype'),
};

const collection: ProxyHandler<object> = {
  ...record,
  get(target, key) {
    if (WRITERS.has(key)) return () => refuse(target, key);
    const value: unknown = Reflect.get(target, key, target);
    return isMethod(value) ? reader(target, key, value) : value;
  },
};

function isMethod(value: unknown): value is (...given: unknown[]) => unknown {
  return typeof value === 'function';
}

/** A reading method of a map or a set. Its arguments are passed on unchanged; the values that it returns are guarded. */
function reader(target: object, key: PropertyKey, method: (...given: unknown[]) => unknown): unknown {
  if (key === 'forEach') {
    return (visit: (...each: unknown[]) => void) =>
      method.call(target, (value: unknown, name: unknown) => visit(guarded(value), guarded(name), guarded(target)));
  }
  const isIteration = key === Symbol.iterator || key === 'values' || key === 'entries' || key === 'keys';
  return (...given: unknown[]) => {
    const result = method.apply(target, given);
    return isIteration && isIterator(result) ? result.map(guardedEach) : guarded(result);
  };
}

/** An entry of a map is a new list each time, so only its parts need guarding. */
function guardedEach(each: unknown): unknown {
  return Array.isArray(each) ? each.map((part: unknown) => guarded(part)) : guarded(each);
}

function isIterator(value: unknown): value is IteratorObject<unknown> {
  return value instanceof Iterator;
}

function isFixed(target: object, key: PropertyKey): boolean {
  const found = Reflect.getOwnPropertyDescriptor(target, key);
  return found !== undefined && found.configurable === false && found.writable === false;
}
