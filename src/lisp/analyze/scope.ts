// Scopes: assigns names to slots. A frame belongs to a function; closures copy captured slots of the enclosing frame.
import { burn } from '../machine.ts';
import type { Machine } from '../value.ts';

/** The frame of one function arity, or of the program, during analysis. */
export interface Frame {
  size: number;
  readonly within: FnScope | undefined;
  readonly loads: Map<number, number>;
}

/** A function during analysis. */
export interface FnScope {
  readonly around: Scope;
  readonly captures: number[];
}

interface Local {
  readonly name: string;
  readonly slot: number;
  readonly next: Local | undefined;
}

/** The target of `recur`: the slots to fill. */
interface Target {
  readonly slots: readonly number[];
}

export interface Scope {
  readonly frame: Frame;
  readonly locals: Local | undefined;
  /** Present only in tail position of a loop or function. */
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

/** The scope for positions that are not last: no `recur` there. */
export function notLast(scope: Scope): Scope {
  return scope.target === undefined ? scope : { ...scope, target: undefined };
}

/** The slot of a local name in this frame, captured from outside when needed; undefined when unknown. */
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

/** All local names in scope, for suggestions. */
export function localNames(scope: Scope): string[] {
  const names: string[] = [];
  for (let at: Scope | undefined = scope; at !== undefined; at = at.frame.within?.around) {
    for (let local = at.locals; local !== undefined; local = local.next) names.push(local.name);
  }
  return names;
}
