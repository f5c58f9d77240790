// A view of a run that throws when a program writes to it: listeners get it, and graphs of runs are handed out behind it.
import { Fault } from '../../base/fault.ts';
import type { RunView, StepView } from '../../engine/state/run-view.ts';
import type { RunState } from '../../engine/state/state.ts';
import { isLivingGraph, type LivingGraph } from '../../graph/living-graph.ts';

const WRITERS: ReadonlySet<PropertyKey> = new Set([
  'set',
  'add',
  'delete',
  'clear',
  'getOrInsert',
  'getOrInsertComputed',
]);

/** Each object has one view, so that views can be compared. */
const views = new WeakMap<object, object>();

/** Every object that is read through the view is guarded too. @throws Fault when the view or anything in it is written to */
export function guardedView(state: RunState): RunView {
  return guarded(state);
}

/** The graph of a run: the attributes that it hands out are guarded. */
export function guardedGraph(graph: LivingGraph<StepView>): LivingGraph<StepView> {
  return guarded(graph);
}

function guarded<T>(value: T): T;
function guarded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = views.get(value);
  if (known !== undefined) return known;
  const handler = handlerFor(value);
  if (handler === undefined) return value;
  const view = new Proxy(value, handler);
  views.set(value, view);
  views.set(view, view);
  return view;
}

function handlerFor(value: object): ProxyHandler<object> | undefined {
  if (isLivingGraph(value)) return graph;
  if (!isPlain(value)) return undefined;
  return value instanceof Map || value instanceof Set ? collection : record;
}

/** Other objects of libraries are not wrapped. */
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
  getOwnPropertyDescriptor(target, key) {
    const found = Reflect.getOwnPropertyDescriptor(target, key);
    if (found === undefined || !('value' in found) || isFixed(target, key)) return found;
    return { ...found, value: guarded(found.value) };
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

/** The methods of a graph that write throw by themselves. Its private fields would lead around the view. */
const graph: ProxyHandler<object> = {
  ...record,
  get(target, key) {
    if (typeof key === 'string' && key.startsWith('_')) return undefined;
    const value: unknown = Reflect.get(target, key, target);
    return isMethod(value) ? graphMethod(target, value) : value;
  },
};

/** Guards what a method of a graph returns and what it passes to its callback. */
function graphMethod(target: object, method: (...given: unknown[]) => unknown): unknown {
  return (...given: unknown[]) => {
    const passed = given.map((each) =>
      isMethod(each) ? (...shown: unknown[]) => each(...shown.map((one) => guarded(one))) : each,
    );
    const result = method.apply(target, passed);
    return isSteps(result) ? Iterator.from(result).map(guardedEach) : guarded(result);
  };
}

/** graphology's iterators are no instances of `Iterator`. */
function isSteps(value: unknown): value is Iterator<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value && isMethod(value.next);
}

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
