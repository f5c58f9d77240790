// The comprehensions for, doseq and dotimes: nested loops over collections.
import { isKeywordNamed, isSymbolForm } from '../form.ts';
import { type Analysis, type ListForm, nothing, report, sequence } from './analysis.ts';
import { bind, bindingPairs, takeApart } from './binding.ts';
import { builtinNode } from './invocation.ts';
import type { Binding, ForStep, Node } from './node.ts';
import { newSlot, notLast, type Scope } from './scope.ts';

export function analyzeFor(what: 'for' | 'doseq'): (a: Analysis, form: ListForm, scope: Scope) => Node {
  return (a, form, scope) => {
    const pairs = bindingPairs(a, form, what);
    if (pairs === undefined) return nothing(form);
    if (what === 'for' && form.items.length !== 3)
      return report(a, 'LISP_ARITY', form, 'for takes its bindings and one body', '(for [x xs] (f x))');
    const steps: ForStep[] = [];
    let inner = notLast(scope);
    for (const [left, right] of pairs) {
      if (left.kind !== 'keyword') {
        const over = a.node(right, inner);
        const slot = newSlot(inner);
        const taken = takeApart(a, left, slot, inner);
        inner = taken.scope;
        steps.push({ kind: 'each', slot, over, bindings: taken.bindings });
      } else if (steps.length === 0) {
        return report(a, 'LISP_FORM', left, `${what} begins with a name and a collection, not with :${left.name}`);
      } else if (isKeywordNamed(left, 'let')) {
        if (right.kind !== 'vector') return report(a, 'LISP_FORM', right, ':let needs a vector of bindings');
        const bindings: Binding[] = [];
        for (let i = 0; i + 1 < right.items.length; i += 2) {
          const [pattern, value] = [right.items[i], right.items[i + 1]];
          if (pattern === undefined || value === undefined) break;
          const bound = bind(a, pattern, a.node(value, inner), inner);
          bindings.push(...bound.bindings);
          inner = bound.scope;
        }
        steps.push({ kind: 'let', bindings });
      } else if (isKeywordNamed(left, 'when') || isKeywordNamed(left, 'while')) {
        steps.push({ kind: left.name === 'when' ? 'when' : 'while', test: a.node(right, inner) });
      } else {
        return report(a, 'LISP_FORM', left, `:${left.name} is not a modifier of ${what}`, 'use :when, :while or :let');
      }
    }
    if (steps.length === 0) return report(a, 'LISP_FORM', form, `${what} needs a name and a collection`);
    return {
      kind: 'for',
      steps,
      collects: what === 'for',
      body: sequence(a, form.items.slice(2), inner, form),
      at: form.start,
    };
  };
}

export function analyzeDotimes(a: Analysis, form: ListForm, scope: Scope): Node {
  const pairs = bindingPairs(a, form, 'dotimes');
  const pair = pairs?.[0];
  if (pair === undefined || pairs?.length !== 1 || !isSymbolForm(pair[0])) {
    return pairs === undefined
      ? nothing(form)
      : report(a, 'LISP_FORM', form, 'dotimes needs one name and a count', '(dotimes [i 3] …)');
  }
  const slot = newSlot(scope);
  const taken = takeApart(a, pair[0], slot, notLast(scope));
  const over = builtinNode('range', [a.node(pair[1], notLast(scope))], form.start);
  const body = sequence(a, form.items.slice(2), taken.scope, form);
  return { kind: 'for', steps: [{ kind: 'each', slot, over, bindings: [] }], collects: false, body, at: form.start };
}
