// Which name stands in which slot: frames belong to functions, closures copy what they need from the frame around them.
import { burn } from '../machine.ts';
import type { Machine } from '../value.ts';

/** One function arity's frame while it is analyzed, or the program's. */
export interface Frame {
  size: number;
  readonly within: FnScope | undefined;
  readonly loads: Map<number, number>;
}

/** A function while it is analyzed. */
export interface FnScope {
  readonly around: Scope;
  readonly captures: number[];
}

interface Local {
  readonly name: string;
  readonly slot: number;
  readonly next: Local | undefined;
}

/** Where `recur` goes: the slots it fills. */
interface Target {
  readonly slots: readonly number[];
}

export interface Scope {
  readonly frame: Frame;
  readonly locals: Local | undefined;
  /** Present in tail position of a loop or function only. */
  readonly target: Target | undefined;
}

export function topScope(): Scope {
  return { frame: newFrame(undefined), locals: undefined, target: undefined };
}

export function newFrame(within: FnScope | undefined): Frame {
  return { size: 0, within, loads: new Map() };
}

export function newSlot(scope: Scope): number {
  scope.frame.size += 1;
  return scope.frame.size - 1;
}

export function withLocal(scope: Scope, name: string, slot: number): Scope {
  return { ...scope, locals: { name, slot, next: scope.locals } };
}

/** For what is evaluated on the way, not last: `recur` may not stand there. */
export function notLast(scope: Scope): Scope {
  return scope.target === undefined ? scope : { ...scope, target: undefined };
}

/** The slot of a local name in this scope's frame, carried in from around when needed; undefined when there is none. */
export function resolveLocal(scope: Scope, name: string, m: Machine): number | undefined {
  let passed = 0;
  for (let local = scope.locals; local !== undefined; local = local.next) {
    if (local.name === name) {
      burn(m, passed >> 8);
      return local.slot;
    }
    passed += 1;
  }
  burn(m, passed >> 8);
  const { frame } = scope;
  if (frame.within === undefined) return undefined;
  const outer = resolveLocal(frame.within.around, name, m);
  if (outer === undefined) return undefined;
  burn(m, frame.within.captures.length >> 8);
  return carryIn(scope, frame.within, outer);
}

function carryIn(scope: Scope, fn: FnScope, outer: number): number {
  const known = fn.captures.indexOf(outer);
  const capture = known < 0 ? fn.captures.push(outer) - 1 : known;
  const loaded = scope.frame.loads.get(capture);
  if (loaded !== undefined) return loaded;
  const slot = newSlot(scope);
  scope.frame.loads.set(capture, slot);
  return slot;
}

/** Every local name in reach, for did-you-mean. */
export function localNames(scope: Scope): string[] {
  const names: string[] = [];
  for (let at: Scope | undefined = scope; at !== undefined; at = at.frame.within?.around) {
    for (let local = at.locals; local !== undefined; local = local.next) names.push(local.name);
  }
  return names;
}
