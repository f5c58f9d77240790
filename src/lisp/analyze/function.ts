// The function forms fn, #(), def, defn, declare and letfn.
import { type BracketForm, type Form, isNamed, isSymbolForm } from '../form.ts';
import { type Analysis, type ListForm, nothing, report, sequence } from './analysis.ts';
import { restNode, takeApart } from './binding.ts';
import type { ArityNode, Binding, FnNode, Node } from './node.ts';
import { type FnScope, newFrame, newSlot, type Scope, withLocal } from './scope.ts';

export function analyzeFn(a: Analysis, form: ListForm, scope: Scope): Node {
  const [, second] = form.items;
  const name = isSymbolForm(second) ? second.name : undefined;
  return functionNode(a, name, form.items.slice(name === undefined ? 1 : 2), form, scope) ?? nothing(form);
}

/** One arity as `[params] body…`, or several as `([params] body…) …`; reports other forms and returns undefined. */
function functionNode(
  a: Analysis,
  name: string | undefined,
  parts: readonly Form[],
  form: ListForm,
  scope: Scope,
): FnNode | undefined {
  const around: FnScope = { around: { ...scope, target: undefined }, captures: [] };
  const [first] = parts;
  if (first === undefined) {
    report(a, 'LISP_ARITY', form, 'a function needs its parameters', '(fn [a b] (+ a b))');
    return undefined;
  }
  const single = first.kind === 'vector';
  const arities: ArityNode[] = [];
  for (const part of single ? [list(parts, form)] : parts) {
    const params = part.kind === 'list' ? part.items[0] : undefined;
    if (part.kind !== 'list' || params === undefined || params.kind !== 'vector') {
      report(
        a,
        single ? 'LISP_FORM' : 'LISP_ARITY',
        part,
        'a function needs its parameters in a vector',
        '(fn [a b] (+ a b))',
      );
      return undefined;
    }
    arities.push(arityNode(a, name, params, part.items.slice(1), part, around));
  }
  clashes(a, arities, form);
  return { kind: 'fn', name: name ?? 'fn', captures: around.captures, arities, at: form.start };
}

function list(items: readonly Form[], at: ListForm): BracketForm {
  return { kind: 'list', items, start: at.start, end: at.end };
}

function clashes(a: Analysis, arities: readonly ArityNode[], form: ListForm): void {
  const counts = arities.filter((arity) => !arity.variadic).map((arity) => arity.params);
  if (new Set(counts).size !== counts.length || arities.filter((arity) => arity.variadic).length > 1) {
    report(a, 'LISP_FORM', form, 'the function has two arities with the same number of arguments');
  }
}

function arityNode(
  a: Analysis,
  name: string | undefined,
  params: BracketForm,
  body: readonly Form[],
  at: ListForm,
  fn: FnScope,
): ArityNode {
  const frame = newFrame(fn);
  let scope: Scope = { frame, locals: undefined, target: undefined };
  const ampersand = params.items.findIndex((item) => isNamed(item, '&'));
  const variadic = ampersand >= 0;
  const fixed = variadic ? params.items.slice(0, ampersand) : params.items;
  const rest = variadic ? params.items[ampersand + 1] : undefined;
  if (variadic && (rest === undefined || params.items.length > ampersand + 2)) {
    report(a, 'LISP_FORM', params, 'a parameter list needs exactly one name after &');
  }
  const patterns = rest === undefined ? fixed : [...fixed, rest];
  const slots = patterns.map(() => newSlot(scope));
  const self = name === undefined ? undefined : newSlot(scope);
  if (name !== undefined && self !== undefined) scope = withLocal(scope, name, self);
  const parts: Binding[] = [];
  patterns.forEach((pattern, i) => {
    const slot = slots[i] ?? 0;
    if (pattern === rest && pattern.kind === 'map')
      parts.push({ slot, value: restNode(pattern, { kind: 'local', slot, at: pattern.start }) });
    const taken = takeApart(a, pattern, slot, scope);
    parts.push(...taken.bindings);
    scope = taken.scope;
  });
  const inner = sequence(a, body, { ...scope, target: { slots } }, at);
  return {
    params: fixed.length,
    variadic: rest !== undefined,
    size: frame.size,
    self,
    loads: [...frame.loads].map(([capture, slot]) => ({ capture, slot })),
    body: parts.length === 0 ? inner : { kind: 'let', bindings: parts, body: inner, at: at.start },
  };
}

const PARAMETER = /^%(\d*|&)$/;

/** `#(+ % 1)` with the parameters `%`, `%1` … and `%&`. */
export function analyzeShortFn(a: Analysis, form: BracketForm, scope: Scope): Node {
  let highest = 0;
  let rest = false;
  const rename = (each: Form): Form => {
    if (each.kind === 'symbol') {
      const match = PARAMETER.exec(each.name);
      if (match === null) return each;
      if (match[1] === '&') rest = true;
      else highest = Math.max(highest, match[1] === '' ? 1 : Number(match[1]));
      return each.name === '%' ? { ...each, name: '%1' } : each;
    }
    if (each.kind === 'function') {
      report(a, 'LISP_FORM', each, 'a #() cannot contain another #()', 'write (fn [x] …) for one of them');
      return { ...each, items: [] };
    }
    return 'items' in each ? { ...each, items: each.items.map(rename) } : each;
  };
  const items = form.items.map(rename);
  if (highest > 20) return report(a, 'LISP_FORM', form, 'a #() takes at most %20');
  const symbolAt = (name: string): Form => ({ kind: 'symbol', name, start: form.start, end: form.end });
  const params = Array.from({ length: highest }, (_, i) => symbolAt(`%${i + 1}`));
  if (rest) params.push(symbolAt('&'), symbolAt('%&'));
  const vector: BracketForm = { kind: 'vector', items: params, start: form.start, end: form.start };
  return functionNode(a, undefined, [vector, list(items, form)], form, scope) ?? nothing(form);
}

function globalSlot(a: Analysis, name: string): number {
  const known = a.globals.get(name);
  if (known !== undefined) return known;
  a.globals.set(name, a.globals.size);
  return a.globals.size - 1;
}

/** The name to define; reports a forbidden name and returns undefined. */
function defined(a: Analysis, form: ListForm, what: string): string | undefined {
  const name = form.items[1];
  if (name === undefined) {
    report(a, 'LISP_ARITY', form, `${what} needs a name`);
    return undefined;
  }
  if (!isSymbolForm(name) || (name.name.includes('/') && name.name !== '/')) {
    report(a, 'LISP_FORM', name, `${what} needs a plain name without a namespace`);
    return undefined;
  }
  return name.name;
}

export function analyzeDef(a: Analysis, form: ListForm, scope: Scope): Node {
  const name = defined(a, form, 'def');
  if (name === undefined) return nothing(form);
  const described =
    form.items.length === 4 && form.items[2]?.kind === 'scalar' && typeof form.items[2].value === 'string';
  if (form.items.length > (described ? 4 : 3)) return report(a, 'LISP_ARITY', form, 'def takes a name and one value');
  const slot = globalSlot(a, name);
  const value = form.items.at(-1);
  if (form.items.length === 2 || value === undefined) return nothing(form);
  return { kind: 'def', slot, name, value: a.node(value, { ...scope, target: undefined }), at: form.start };
}

export function analyzeDefn(a: Analysis, form: ListForm, scope: Scope): Node {
  const name = defined(a, form, 'defn');
  if (name === undefined) return nothing(form);
  const slot = globalSlot(a, name);
  let parts = form.items.slice(2);
  if (parts[0]?.kind === 'scalar' && typeof parts[0].value === 'string') parts = parts.slice(1);
  if (parts[0]?.kind === 'map' && parts.length > 1) parts = parts.slice(1);
  if (parts.length === 0)
    return report(a, 'LISP_ARITY', form, `defn ${name} needs its parameters`, `(defn ${name} [a b] (+ a b))`);
  const fn = functionNode(a, undefined, parts, form, scope);
  return fn === undefined ? nothing(form) : { kind: 'def', slot, name, value: { ...fn, name }, at: form.start };
}

export function analyzeDeclare(a: Analysis, form: ListForm): Node {
  for (const each of form.items.slice(1)) {
    if (isSymbolForm(each)) globalSlot(a, each.name);
    else report(a, 'LISP_FORM', each, 'declare takes names');
  }
  return nothing(form);
}

/** `(letfn [(even [n] …) (odd [n] …)] …)`: functions that may call each other. */
export function analyzeLetfn(a: Analysis, form: ListForm, scope: Scope): Node {
  const group = form.items[1];
  if (group === undefined || group.kind !== 'vector')
    return report(a, 'LISP_FORM', form, 'letfn needs a vector of functions');
  let inner = scope;
  const named = group.items.flatMap((each) => {
    const name = each.kind === 'list' ? each.items[0] : undefined;
    if (each.kind !== 'list' || !isSymbolForm(name)) {
      report(a, 'LISP_FORM', each, 'a function such as (name [a] …) is expected in letfn');
      return [];
    }
    const slot = newSlot(inner);
    inner = withLocal(inner, name.name, slot);
    return [{ slot, each, name: name.name }];
  });
  const fns = named.flatMap(({ slot, each, name }) => {
    const fn = functionNode(a, undefined, each.items.slice(1), each, inner);
    return fn === undefined ? [] : [{ slot, fn: { ...fn, name } }];
  });
  return { kind: 'letfn', fns, body: sequence(a, form.items.slice(2), inner, form), at: form.start };
}
