// let, loop and destructuring: `[a & rest]`, `{:keys [a] :or {a 1} :as all}`, nested to any depth.
import { type BracketForm, type Form, isKeywordNamed, isNamed, isSymbolForm } from '../form.ts';
import { keyword, symbol, type Value } from '../value.ts';
import { type Analysis, type ListForm, report, sequence } from './analysis.ts';
import type { Binding, Node } from './node.ts';
import { newSlot, notLast, type Scope, withLocal } from './scope.ts';

export interface Bound {
  readonly bindings: Binding[];
  readonly scope: Scope;
}

/** Binds a pattern to the value of a node. */
export function bind(a: Analysis, pattern: Form, value: Node, scope: Scope): Bound {
  const slot = newSlot(scope);
  const first: Binding = { slot, value };
  if (isSymbolForm(pattern)) return { bindings: [first], scope: named(a, pattern, slot, scope) };
  const taken = takeApart(a, pattern, slot, scope);
  return { bindings: [first, ...taken.bindings], scope: taken.scope };
}

function named(a: Analysis, pattern: Form & { name: string }, slot: number, scope: Scope): Scope {
  if (pattern.name.includes('/') && pattern.name !== '/') {
    report(a, 'LISP_FORM', pattern, `"${pattern.name}" cannot be bound, because a local name has no namespace`);
  }
  return withLocal(scope, pattern.name, slot);
}

/** Destructures the value of a slot. */
export function takeApart(a: Analysis, pattern: Form, slot: number, scope: Scope): Bound {
  if (isSymbolForm(pattern)) return { bindings: [], scope: named(a, pattern, slot, scope) };
  const of: Node = { kind: 'local', slot, at: pattern.start };
  if (pattern.kind === 'vector') return takeVector(a, pattern, of, scope);
  if (pattern.kind === 'map') return takeMap(a, pattern, of, scope);
  report(a, 'LISP_FORM', pattern, 'a binding needs a name, or a vector or map of names');
  return { bindings: [], scope };
}

function takeVector(a: Analysis, pattern: BracketForm, of: Node & { kind: 'local' }, scope: Scope): Bound {
  const { items } = pattern;
  const bindings: Binding[] = [];
  const walked = items.some((item) => isNamed(item, '&'));
  let inner = scope;
  const add = (part: Form, value: Node) => {
    const bound = bind(a, part, value, inner);
    bindings.push(...bound.bindings);
    inner = bound.scope;
  };
  let index = 0;
  for (let i = 0; i < items.length; i++) {
    const part = items[i];
    if (part === undefined) break;
    const next = items[i + 1];
    if (isNamed(part, '&')) {
      if (next === undefined) report(a, 'LISP_FORM', part, 'a name is missing after &');
      else add(next, restNode(next, { kind: 'tail', of, from: index, at: part.start }));
      i += 1;
    } else if (isKeywordNamed(part, 'as')) {
      if (isSymbolForm(next)) inner = named(a, next, of.slot, inner);
      else report(a, 'LISP_FORM', part, 'a name is missing after :as');
      i += 1;
    } else {
      add(part, { kind: 'element', of, index, walked, at: part.start });
      index += 1;
    }
  }
  return { bindings, scope: inner };
}

/** A map pattern after `&` takes the remaining arguments as keyword arguments. */
export function restNode(pattern: Form, rest: Node): Node {
  return pattern.kind === 'map' ? { kind: 'options', of: rest, at: pattern.start } : rest;
}

const GROUPS: ReadonlyMap<string, (name: string) => Value> = new Map<string, (name: string) => Value>([
  ['keys', keyword],
  ['strs', (name) => name],
  ['syms', symbol],
]);

function takeMap(a: Analysis, pattern: BracketForm, of: Node & { kind: 'local' }, scope: Scope): Bound {
  const pairs = pairsOf(pattern.items);
  const defaults = defaultsOf(a, pairs);
  const bindings: Binding[] = [];
  let inner = scope;
  const add = (part: Form, key: Node, name: string | undefined) => {
    const fallback = name === undefined ? undefined : defaults.get(name);
    const otherwise = fallback === undefined ? undefined : a.node(fallback, notLast(inner));
    const bound = bind(a, part, { kind: 'lookup', of, key, otherwise, at: part.start }, inner);
    bindings.push(...bound.bindings);
    inner = bound.scope;
  };
  for (const [left, right] of pairs) {
    if (isKeywordNamed(left, 'or')) continue;
    if (isKeywordNamed(left, 'as')) {
      if (isSymbolForm(right)) inner = named(a, right, of.slot, inner);
      else report(a, 'LISP_FORM', right, 'a name is expected after :as');
    } else if (left.kind === 'keyword') {
      for (const { form, name, key } of groupOf(a, left, right)) {
        add({ ...form, kind: 'symbol', name }, { kind: 'const', value: key, at: form.start }, name);
      }
    } else {
      add(left, a.node(right, notLast(inner)), isSymbolForm(left) ? left.name : undefined);
    }
  }
  return { bindings, scope: inner };
}

function pairsOf(items: readonly Form[]): [Form, Form][] {
  return items.flatMap((left, i) => {
    const right = items[i + 1];
    return i % 2 === 0 && right !== undefined ? [[left, right]] : [];
  });
}

function defaultsOf(a: Analysis, pairs: readonly [Form, Form][]): Map<string, Form> {
  const defaults = new Map<string, Form>();
  for (const [left, right] of pairs) {
    if (!isKeywordNamed(left, 'or')) continue;
    if (right.kind !== 'map') report(a, 'LISP_FORM', right, 'a map of names and defaults is expected after :or');
    else for (const [name, fallback] of pairsOf(right.items)) if (isSymbolForm(name)) defaults.set(name.name, fallback);
  }
  return defaults;
}

type Member = { readonly form: Form & { name: string }; readonly name: string; readonly key: Value };

/** Reads `:keys [a b/c]`, `:strs [a]`, `:syms [a]`, and `:ns/keys [a]` for keys with a namespace. */
function groupOf(a: Analysis, group: Form & { name: string }, names: Form): Member[] {
  const slash = group.name.lastIndexOf('/');
  const make = GROUPS.get(group.name.slice(slash + 1));
  if (make === undefined || names.kind !== 'vector') {
    report(
      a,
      'LISP_FORM',
      group,
      `":${group.name}" does not take a map apart`,
      'there are :keys [a b], :strs [a b], :syms [a b], :or {a 1} and :as all',
    );
    return [];
  }
  const prefix = slash < 0 ? '' : `${group.name.slice(0, slash)}/`;
  return names.items.flatMap((form): Member[] => {
    if (form.kind !== 'symbol' && form.kind !== 'keyword') {
      report(a, 'LISP_FORM', form, `a name is expected in :${group.name}`);
      return [];
    }
    return [{ form, name: form.name.slice(form.name.lastIndexOf('/') + 1), key: make(`${prefix}${form.name}`) }];
  });
}

/** The pattern-value pairs of `[a 1 b 2]`; reports other forms and returns undefined. */
export function bindingPairs(a: Analysis, form: ListForm, what: string): [Form, Form][] | undefined {
  const vector = form.items[1];
  if (vector === undefined) {
    report(a, 'LISP_ARITY', form, `${what} needs a vector of bindings`, `(${what} [name value] …)`);
    return undefined;
  }
  if (vector.kind !== 'vector') {
    report(a, 'LISP_FORM', vector, `${what} needs a vector of bindings`, `(${what} [name value] …)`);
    return undefined;
  }
  if (vector.items.length % 2 === 1) {
    report(a, 'LISP_FORM', vector, `the bindings of ${what} need a value for each name`);
    return undefined;
  }
  return pairsOf(vector.items);
}

export function analyzeLet(a: Analysis, form: ListForm, scope: Scope): Node {
  const pairs = bindingPairs(a, form, 'let') ?? [];
  const bindings: Binding[] = [];
  let inner = scope;
  for (const [pattern, value] of pairs) {
    const bound = bind(a, pattern, a.node(value, notLast(inner)), inner);
    bindings.push(...bound.bindings);
    inner = { ...bound.scope, target: scope.target };
  }
  return { kind: 'let', bindings, body: sequence(a, form.items.slice(2), inner, form), at: form.start };
}

/** Each turn destructures again, because `recur` fills the slots of the whole values. */
export function analyzeLoop(a: Analysis, form: ListForm, scope: Scope): Node {
  const pairs = bindingPairs(a, form, 'loop') ?? [];
  const bindings: Binding[] = [];
  const parts: Binding[] = [];
  const slots: number[] = [];
  let inner = notLast(scope);
  for (const [pattern, value] of pairs) {
    const slot = newSlot(inner);
    const taken = takeApart(a, pattern, slot, inner);
    bindings.push({ slot, value: a.node(value, inner) }, ...taken.bindings);
    slots.push(slot);
    parts.push(...taken.bindings);
    inner = taken.scope;
  }
  const target = { slots };
  const body = sequence(a, form.items.slice(2), { ...inner, target }, form);
  return {
    kind: 'loop',
    bindings,
    body: parts.length === 0 ? body : { kind: 'let', bindings: parts, body, at: form.start },
    at: form.start,
  };
}
