// Conditionals: if, when, cond, case, condp, and forms that bind the tested value.
import { type Form, isKeywordNamed } from '../form.ts';
import { keyOf } from '../key.ts';
import { type Key, truthy, type Value } from '../value.ts';
import { type Analysis, countParts, type ListForm, nothing, report, sequence } from './analysis.ts';
import { bind, bindingPairs, takeApart } from './binding.ts';
import { builtinNode } from './invocation.ts';
import type { Node } from './node.ts';
import { quoted } from './quote.ts';
import { newSlot, notLast, type Scope } from './scope.ts';

function choice(test: Node, then: Node, otherwise: Node, at: number): Node {
  if (test.kind === 'const') return truthy(test.value) ? then : otherwise;
  return { kind: 'if', test, then, else: otherwise, at };
}

function partNode(a: Analysis, form: ListForm, index: number, scope: Scope): Node {
  const part = form.items[index];
  return part === undefined ? nothing(form) : a.node(part, scope);
}

export function analyzeIf(a: Analysis, form: ListForm, scope: Scope): Node {
  if (!countParts(a, form, 'if', 2, 3)) return nothing(form);
  return choice(
    partNode(a, form, 1, notLast(scope)),
    partNode(a, form, 2, scope),
    partNode(a, form, 3, scope),
    form.start,
  );
}

export function analyzeIfNot(a: Analysis, form: ListForm, scope: Scope): Node {
  if (!countParts(a, form, 'if-not', 2, 3)) return nothing(form);
  return choice(
    partNode(a, form, 1, notLast(scope)),
    partNode(a, form, 3, scope),
    partNode(a, form, 2, scope),
    form.start,
  );
}

export function analyzeWhen(a: Analysis, form: ListForm, scope: Scope): Node {
  if (!countParts(a, form, 'when', 1, Number.POSITIVE_INFINITY)) return nothing(form);
  const body = sequence(a, form.items.slice(2), scope, form);
  return choice(partNode(a, form, 1, notLast(scope)), body, nothing(form), form.start);
}

export function analyzeWhenNot(a: Analysis, form: ListForm, scope: Scope): Node {
  if (!countParts(a, form, 'when-not', 1, Number.POSITIVE_INFINITY)) return nothing(form);
  const body = sequence(a, form.items.slice(2), scope, form);
  return choice(partNode(a, form, 1, notLast(scope)), nothing(form), body, form.start);
}

export function analyzeCond(a: Analysis, form: ListForm, scope: Scope): Node {
  const clauses = form.items.slice(1);
  if (clauses.length % 2 === 1) {
    return report(
      a,
      'LISP_FORM',
      form,
      'cond needs a value for each test',
      'end with :else and the value for all other cases',
    );
  }
  let result = nothing(form);
  for (let i = clauses.length - 2; i >= 0; i -= 2) {
    const [test, value] = [clauses[i], clauses[i + 1]];
    if (test === undefined || value === undefined) break;
    result = choice(a.node(test, notLast(scope)), a.node(value, scope), result, test.start);
  }
  return result;
}

export function analyzeAndOr(kind: 'and' | 'or'): (a: Analysis, form: ListForm, scope: Scope) => Node {
  return (a, form, scope) => {
    const parts = form.items.slice(1);
    const last = parts.length - 1;
    const nodes = parts.map((part, i) => a.node(part, i === last ? scope : notLast(scope)));
    const [only] = nodes;
    if (only === undefined) return { kind: 'const', value: kind === 'and' ? true : null, at: form.start };
    return nodes.length === 1 ? only : { kind, parts: nodes, at: form.start };
  };
}

/** `if-let` and `when-let` test for truth, `if-some` and `when-some` for not nil. The name is bound only when the test holds. */
export function analyzeBindingTest(
  what: string,
  test: 'truth' | 'some',
  branches: boolean,
): (a: Analysis, form: ListForm, scope: Scope) => Node {
  return (a, form, scope) => {
    if (!countParts(a, form, what, branches ? 2 : 1, branches ? 3 : Number.POSITIVE_INFINITY)) return nothing(form);
    const pairs = bindingPairs(a, form, what);
    const pair = pairs?.[0];
    if (pair === undefined || pairs?.length !== 1) {
      return pairs === undefined
        ? nothing(form)
        : report(a, 'LISP_FORM', form, `${what} binds exactly one name`, `(${what} [name value] …)`);
    }
    const [pattern, value] = pair;
    const slot = newSlot(scope);
    const local: Node = { kind: 'local', slot, at: pattern.start };
    const taken = takeApart(a, pattern, slot, notLast(scope));
    const inner: Scope = { ...taken.scope, target: scope.target };
    const body = branches ? partNode(a, form, 2, inner) : sequence(a, form.items.slice(2), inner, form);
    const then: Node =
      taken.bindings.length === 0 ? body : { kind: 'let', bindings: taken.bindings, body, at: form.start };
    const otherwise = branches ? partNode(a, form, 3, scope) : nothing(form);
    const asked = test === 'truth' ? local : builtinNode('some?', [local], form.start);
    const branch: Node = { kind: 'if', test: asked, then, else: otherwise, at: form.start };
    return { kind: 'let', bindings: [{ slot, value: a.node(value, notLast(scope)) }], body: branch, at: form.start };
  };
}

/** Binds the first element if there is one, even if it is nil. */
export function analyzeWhenFirst(a: Analysis, form: ListForm, scope: Scope): Node {
  const pairs = bindingPairs(a, form, 'when-first');
  const pair = pairs?.[0];
  if (pair === undefined || pairs?.length !== 1) {
    return pairs === undefined ? nothing(form) : report(a, 'LISP_FORM', form, 'when-first binds exactly one name');
  }
  const slot = newSlot(scope);
  const local: Node = { kind: 'local', slot, at: form.start };
  const bound = bind(a, pair[0], builtinNode('first', [local], form.start), scope);
  const body = sequence(a, form.items.slice(2), { ...bound.scope, target: scope.target }, form);
  const then: Node = { kind: 'let', bindings: bound.bindings, body, at: form.start };
  const whole = builtinNode('seq', [a.node(pair[1], notLast(scope))], form.start);
  const branch: Node = { kind: 'if', test: local, then, else: nothing(form), at: form.start };
  return { kind: 'let', bindings: [{ slot, value: whole }], body: branch, at: form.start };
}

/** Compares constants by value in constant time; a list of constants shares one branch. */
export function analyzeCase(a: Analysis, form: ListForm, scope: Scope): Node {
  const [, subject, ...clauses] = form.items;
  if (subject === undefined) return report(a, 'LISP_ARITY', form, 'case needs a value to compare');
  const table = new Map<Key, Node>();
  const last = clauses.length % 2 === 1 ? clauses.at(-1) : undefined;
  for (let i = 0; i + 1 < clauses.length; i += 2) {
    const [constant, result] = [clauses[i], clauses[i + 1]];
    if (constant === undefined || result === undefined) break;
    const node = a.node(result, scope);
    for (const each of constant.kind === 'list' ? constant.items : [constant]) {
      const key = keyOf(a.machine, quoted(a, each));
      if (table.has(key)) report(a, 'LISP_FORM', each, 'case repeats a constant');
      table.set(key, node);
    }
  }
  const otherwise = last === undefined ? undefined : a.node(last, scope);
  return { kind: 'case', subject: a.node(subject, notLast(scope)), table, otherwise, at: form.start };
}

/** `(condp = x 1 :one 2 :two :other)`; `test :>> f` passes the test's result to `f`. */
export function analyzeCondp(a: Analysis, form: ListForm, scope: Scope): Node {
  const [, predicate, subject, ...clauses] = form.items;
  if (predicate === undefined || subject === undefined)
    return report(a, 'LISP_ARITY', form, 'condp needs a predicate and a value');
  const inner = notLast(scope);
  const test: Node = { kind: 'local', slot: newSlot(scope), at: predicate.start };
  const value: Node = { kind: 'local', slot: newSlot(scope), at: subject.start };
  const bindings = [
    { slot: test.slot, value: a.node(predicate, inner) },
    { slot: value.slot, value: a.node(subject, inner) },
  ];
  return { kind: 'let', bindings, body: condpClauses(a, clauses, test, value, form, scope), at: form.start };
}

interface Clause {
  readonly constant: Form;
  readonly result: Form;
  /** `:>>`: calls the result with the test's result. */
  readonly applied: boolean;
}

function condpClauses(
  a: Analysis,
  forms: readonly Form[],
  test: Node,
  value: Node,
  form: ListForm,
  scope: Scope,
): Node {
  const clauses: Clause[] = [];
  let at = 0;
  for (; at + 1 < forms.length; at += 2) {
    const [constant, second, third] = forms.slice(at, at + 3);
    if (constant === undefined || second === undefined) break;
    const applied = isKeywordNamed(second, '>>') && third !== undefined;
    clauses.push({ constant, result: applied ? third : second, applied });
    if (applied) at += 1;
  }
  const last = forms[at];
  const otherwise: Node = last === undefined ? { kind: 'unmatched', at: form.start } : a.node(last, scope);
  return clauses.reduceRight((rest, { constant, result, applied }): Node => {
    const asked: Node = {
      kind: 'call',
      head: test,
      args: [a.node(constant, notLast(scope)), value],
      at: constant.start,
    };
    if (!applied) return choice(asked, a.node(result, scope), rest, constant.start);
    const answer: Node = { kind: 'local', slot: newSlot(scope), at: result.start };
    const then: Node = { kind: 'call', head: a.node(result, notLast(scope)), args: [answer], at: result.start };
    const body: Node = { kind: 'if', test: answer, then, else: rest, at: constant.start };
    return { kind: 'let', bindings: [{ slot: answer.slot, value: asked }], body, at: constant.start };
  }, otherwise);
}

/** `(fail)`, `(fail "reason")` */
export function analyzeFail(a: Analysis, form: ListForm, scope: Scope): Node {
  if (!countParts(a, form, 'fail', 0, 1)) return nothing(form);
  const fallback: Value = 'the program failed';
  const [, message] = form.items;
  return {
    kind: 'fail',
    message:
      message === undefined ? { kind: 'const', value: fallback, at: form.start } : a.node(message, notLast(scope)),
    at: form.start,
  };
}
