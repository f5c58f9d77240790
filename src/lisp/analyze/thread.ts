// Threading macros: -> ->> as-> cond-> cond->> some-> some->> doto, expanded to plain calls.
import { type BracketForm, type Form, isSymbolForm, list } from '../form.ts';
import { type Analysis, type ListForm, nothing, report } from './analysis.ts';
import { bind } from './binding.ts';
import { builtinNode } from './invocation.ts';
import type { Binding, Node } from './node.ts';
import { newSlot, notLast, type Scope, withLocal } from './scope.ts';

type End = 'first' | 'last';

/** Threads x: `(f a)` becomes `(f x a)` or `(f a x)`; a bare `f` becomes `(f x)`. */
function threaded(value: Form, step: Form, end: End): BracketForm {
  if (step.kind !== 'list') return list([step, value], step);
  const [head, ...args] = step.items;
  if (head === undefined) return list([value], step);
  return list(end === 'first' ? [head, value, ...args] : [head, ...args, value], step);
}

export function analyzeThread(end: End): (a: Analysis, form: ListForm, scope: Scope) => Node {
  return (a, form, scope) => {
    const [, first, ...steps] = form.items;
    if (first === undefined) return report(a, 'LISP_ARITY', form, 'threading needs a value to begin with');
    return a.node(
      steps.reduce((value, step) => threaded(value, step, end), first),
      scope,
    );
  };
}

/** A name that no program can write. */
const HOLE = '\u0000it';

function hole(at: Form): Form {
  return { kind: 'symbol', name: HOLE, start: at.start, end: at.end };
}

export function analyzeCondThread(end: End): (a: Analysis, form: ListForm, scope: Scope) => Node {
  return (a, form, scope) => {
    const [, first, ...clauses] = form.items;
    if (first === undefined) return report(a, 'LISP_ARITY', form, 'threading needs a value to begin with');
    if (clauses.length % 2 === 1) return report(a, 'LISP_FORM', form, 'each test needs a step to thread through');
    const slot = newSlot(scope);
    const inner = withLocal(notLast(scope), HOLE, slot);
    const current: Node = { kind: 'local', slot, at: form.start };
    const bindings: Binding[] = [{ slot, value: a.node(first, notLast(scope)) }];
    for (let i = 0; i + 1 < clauses.length; i += 2) {
      const [test, step] = [clauses[i], clauses[i + 1]];
      if (test === undefined || step === undefined) break;
      const then = a.node(threaded(hole(step), step, end), inner);
      bindings.push({
        slot,
        value: { kind: 'if', test: a.node(test, notLast(scope)), then, else: current, at: step.start },
      });
    }
    return { kind: 'let', bindings, body: current, at: form.start };
  };
}

/** Stops with nil as soon as a step returns nil. */
export function analyzeSomeThread(end: End): (a: Analysis, form: ListForm, scope: Scope) => Node {
  return (a, form, scope) => {
    const [, first, ...steps] = form.items;
    if (first === undefined) return report(a, 'LISP_ARITY', form, 'threading needs a value to begin with');
    const slot = newSlot(scope);
    const inner = withLocal(notLast(scope), HOLE, slot);
    const current: Node = { kind: 'local', slot, at: form.start };
    const bindings: Binding[] = [{ slot, value: a.node(first, notLast(scope)) }];
    for (const step of steps) {
      const then = a.node(threaded(hole(step), step, end), inner);
      const there = builtinNode('some?', [current], step.start);
      bindings.push({ slot, value: { kind: 'if', test: there, then, else: nothing(step), at: step.start } });
    }
    return { kind: 'let', bindings, body: current, at: form.start };
  };
}

export function analyzeAsThread(a: Analysis, form: ListForm, scope: Scope): Node {
  const [, first, name, ...steps] = form.items;
  if (first === undefined || name === undefined)
    return report(a, 'LISP_ARITY', form, 'as-> needs a value and a name', '(as-> value name step …)');
  if (!isSymbolForm(name)) return report(a, 'LISP_FORM', name, 'as-> needs a name', '(as-> value name step …)');
  const bindings: Binding[] = [];
  let inner = notLast(scope);
  for (const step of [first, ...steps]) {
    const bound = bind(a, name, a.node(step, inner), inner);
    bindings.push(...bound.bindings);
    inner = bound.scope;
  }
  return { kind: 'let', bindings, body: a.node(name, inner), at: form.start };
}

/** Runs each step for its errors only, and returns the value. */
export function analyzeDoto(a: Analysis, form: ListForm, scope: Scope): Node {
  const [, first, ...steps] = form.items;
  if (first === undefined) return report(a, 'LISP_ARITY', form, 'doto needs a value to begin with');
  const slot = newSlot(scope);
  const inner = withLocal(notLast(scope), HOLE, slot);
  const body = steps.map((step) => a.node(threaded(hole(step), step, 'first'), inner));
  const current: Node = { kind: 'local', slot, at: form.start };
  return {
    kind: 'let',
    bindings: [{ slot, value: a.node(first, notLast(scope)) }],
    body: { kind: 'do', body: [...body, current], at: form.start },
    at: form.start,
  };
}
