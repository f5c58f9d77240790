// Analyzes forms into nodes: resolves names, expands special forms, and reports all errors in one walk.
import { counted } from '../../base/counted.ts';
import { arityText } from '../builtin.ts';
import type { TimeOptions } from '../deadline.ts';
import { isException } from '../exception.ts';
import { type BracketForm, type Form, isSymbolForm } from '../form.ts';
import type { Limits } from '../limits.ts';
import { machine } from '../machine.ts';
import { regex } from '../regex.ts';
import { keyword, type Machine } from '../value.ts';
import {
  type Analysis,
  type Finding,
  findingsOf,
  type ListForm,
  nothing,
  report,
  type Special,
  sequence,
} from './analysis.ts';
import { analyzeLet, analyzeLoop } from './binding.ts';
import {
  analyzeAndOr,
  analyzeBindingTest,
  analyzeCase,
  analyzeCond,
  analyzeCondp,
  analyzeFail,
  analyzeIf,
  analyzeIfNot,
  analyzeWhen,
  analyzeWhenFirst,
  analyzeWhenNot,
} from './branch.ts';
import { analyzeDotimes, analyzeFor } from './comprehension.ts';
import { analyzeDeclare, analyzeDef, analyzeDefn, analyzeFn, analyzeLetfn, analyzeShortFn } from './function.ts';
import { analyzeMap, analyzeSet } from './literal.ts';
import { analyzeSymbol, resolveName } from './names.ts';
import type { Node } from './node.ts';
import { quoted } from './quote.ts';
import { notLast, resolveLocal, type Scope, topScope } from './scope.ts';
import { analyzeAsThread, analyzeCondThread, analyzeDoto, analyzeSomeThread, analyzeThread } from './thread.ts';

/** Local names cannot shadow these, as in Clojure. */
const FIXED = new Set(['if', 'do', 'def', 'quote', 'recur']);

const SPECIALS: ReadonlyMap<string, Special> = new Map<string, Special>([
  ['if', analyzeIf],
  ['do', (a, form, scope) => sequence(a, form.items.slice(1), scope, form)],
  ['def', analyzeDef],
  ['quote', analyzeQuote],
  ['recur', analyzeRecur],
  ['let', analyzeLet],
  ['fn', analyzeFn],
  ['loop', analyzeLoop],
  ['letfn', analyzeLetfn],
  ['defn', analyzeDefn],
  ['defn-', analyzeDefn],
  ['defonce', analyzeDef],
  ['declare', analyzeDeclare],
  ['if-not', analyzeIfNot],
  ['when', analyzeWhen],
  ['when-not', analyzeWhenNot],
  ['cond', analyzeCond],
  ['condp', analyzeCondp],
  ['case', analyzeCase],
  ['and', analyzeAndOr('and')],
  ['or', analyzeAndOr('or')],
  ['if-let', analyzeBindingTest('if-let', 'truth', true)],
  ['when-let', analyzeBindingTest('when-let', 'truth', false)],
  ['if-some', analyzeBindingTest('if-some', 'some', true)],
  ['when-some', analyzeBindingTest('when-some', 'some', false)],
  ['when-first', analyzeWhenFirst],
  ['for', analyzeFor('for')],
  ['doseq', analyzeFor('doseq')],
  ['dotimes', analyzeDotimes],
  ['->', analyzeThread('first')],
  ['->>', analyzeThread('last')],
  ['as->', analyzeAsThread],
  ['cond->', analyzeCondThread('first')],
  ['cond->>', analyzeCondThread('last')],
  ['some->', analyzeSomeThread('first')],
  ['some->>', analyzeSomeThread('last')],
  ['doto', analyzeDoto],
  ['comment', (_, form) => nothing(form)],
  ['fail', analyzeFail],
]);

export const specialNames: readonly string[] = [...SPECIALS.keys()];

/** The fuel of the compiler for regexes and name searches; limits for runs do not apply here. */
const COMPILE_FUEL = 100_000;

/** Searches for similar names; help with the first mistakes matters most. */
const SEARCHES = 20;

/** Unknown words that would bind names. Reporting the names after them as well would be noise. */
const BINDING_WORDS = /^(def|lambda$|function$|func$|λ$|let|while$|for|try$|catch$|ns$|require$|import$|use$|with-)/;

export interface AnalysisOptions {
  readonly bindings: readonly string[] | undefined;
  readonly aliases: readonly string[];
  readonly limits: Limits;
  readonly time: TimeOptions;
}

export interface AnalyzedProgram {
  readonly body: Node;
  readonly findings: readonly Finding[];
  readonly frameSize: number;
  readonly globals: number;
  /** The `data/` names that the program reads, by slot. */
  readonly data: readonly string[];
}

export function analyze(forms: readonly Form[], options: AnalysisOptions): AnalyzedProgram {
  const a: Analysis = {
    findings: [],
    unlisted: 0,
    searches: SEARCHES,
    globals: new Map(),
    data: new Map(),
    offered: options.bindings === undefined ? undefined : new Set(options.bindings),
    aliases: new Set(options.aliases),
    machine: machine({ ...options.limits, fuel: COMPILE_FUEL }, options.time, [], 0),
    defined: new Set(forms.flatMap(definitions)),
    depth: { now: 0, most: options.limits.nesting * 4 },
    node: (form, scope) => analyzeForm(a, form, scope),
  };
  const scope = topScope();
  const body = sequence(a, forms, scope, { start: 0 });
  return {
    body,
    findings: findingsOf(a),
    frameSize: scope.frame.size,
    globals: a.globals.size,
    data: [...a.data.keys()],
  };
}

function definitions(form: Form): string[] {
  if (!('items' in form)) return [];
  const [head, name] = form.items;
  const own = isSymbolForm(head) && head.name.startsWith('def') && isSymbolForm(name) ? [name.name] : [];
  return [...own, ...form.items.flatMap(definitions)];
}

function analyzeForm(a: Analysis, form: Form, scope: Scope): Node {
  if (a.depth.now >= a.depth.most) {
    return report(a, 'LISP_LIMIT', form, 'the program nests too deeply', 'name the parts with let or defn');
  }
  a.depth.now += 1;
  try {
    return unguarded(a, form, scope);
  } catch (error) {
    // After running out of fuel or time, every further form would fail too.
    if (!isException(error) || error.code === 'LISP_OUT_OF_FUEL' || isLate(a.machine)) throw error;
    return report(a, error.code === 'LISP_TYPE' ? 'LISP_FORM' : error.code, form, error.message, error.hint);
  } finally {
    a.depth.now -= 1;
  }
}

function isLate({ now, endsAt }: Machine): boolean {
  return now !== undefined && now() > endsAt;
}

function unguarded(a: Analysis, form: Form, scope: Scope): Node {
  switch (form.kind) {
    case 'scalar':
      return { kind: 'const', value: form.value, at: form.start };
    case 'keyword':
      return { kind: 'const', value: keyword(form.name), at: form.start };
    case 'symbol':
      return analyzeSymbol(a, form, scope, SPECIALS);
    case 'regex':
      return { kind: 'const', value: regex(a.machine, form.source), at: form.start };
    case 'vector':
      return { kind: 'vector', items: parts(a, form.items, scope), at: form.start };
    case 'map':
      return analyzeMap(a, form, scope);
    case 'set':
      return analyzeSet(a, form, scope);
    case 'function':
      return analyzeShortFn(a, form, scope);
    case 'list':
      return analyzeList(a, form, scope);
  }
}

function parts(a: Analysis, forms: readonly Form[], scope: Scope): Node[] {
  const inner = notLast(scope);
  return forms.map((form) => a.node(form, inner));
}

function analyzeList(a: Analysis, form: BracketForm, scope: Scope): Node {
  const [head] = form.items;
  if (head === undefined) return { kind: 'vector', items: [], at: form.start };
  if (isSymbolForm(head)) {
    const special = specialOf(a, head.name, scope);
    if (special !== undefined) return special(a, form, scope);
    const known = resolveName(a, head, scope);
    if (known?.kind === 'builtin') return invocation(a, form, known, parts(a, form.items.slice(1), scope));
  }
  const called = a.node(head, notLast(scope));
  if (isSymbolForm(head) && called.kind === 'const' && BINDING_WORDS.test(head.name)) return called;
  const args = parts(a, form.items.slice(1), scope);
  if (called.kind === 'const' && (called.value === null || typeof called.value !== 'object')) {
    const reported = a.findings.some((finding) => finding.start === head.start);
    return reported
      ? called
      : report(
          a,
          'LISP_TYPE',
          form,
          'the first thing in parentheses is called, and this is no function',
          'for a list of values write [a b c]',
        );
  }
  return { kind: 'call', head: called, args, at: form.start };
}

function specialOf(a: Analysis, name: string, scope: Scope): Special | undefined {
  const bare = name.startsWith('clojure.core/') ? name.slice('clojure.core/'.length) : name;
  const special = SPECIALS.get(bare);
  if (special === undefined || FIXED.has(bare)) return special;
  return resolveLocal(scope, name, a.machine) === undefined && !a.globals.has(name) ? special : undefined;
}

function invocation(a: Analysis, form: ListForm, known: Node & { kind: 'builtin' }, args: readonly Node[]): Node {
  const { builtin } = known;
  const { zero, one, two, three, four, rest } = builtin.shapes;
  const exact = [zero, one, two, three, four][args.length];
  if (exact === undefined && (rest === undefined || args.length < builtin.min)) {
    return report(
      a,
      'LISP_ARITY',
      form,
      `${builtin.name} takes ${arityText(builtin.min, builtin.max)}, not ${args.length}`,
      `for example ${builtin.example}`,
    );
  }
  return { kind: 'invoke', builtin, args, at: form.start };
}

function analyzeQuote(a: Analysis, form: ListForm): Node {
  const [, what] = form.items;
  if (what === undefined || form.items.length > 2) return report(a, 'LISP_ARITY', form, 'quote takes one form');
  return { kind: 'const', value: quoted(a, what), at: form.start };
}

function analyzeRecur(a: Analysis, form: ListForm, scope: Scope): Node {
  const args = parts(a, form.items.slice(1), scope);
  const { target } = scope;
  if (target === undefined) {
    return report(
      a,
      'LISP_FORM',
      form,
      'recur is not the last thing its loop or function does',
      'recur must be in tail position of loop or fn',
    );
  }
  if (args.length !== target.slots.length) {
    return report(
      a,
      'LISP_ARITY',
      form,
      `recur must give ${counted(target.slots.length, 'value')} here, not ${args.length}`,
      'one for each name that loop or fn binds',
    );
  }
  return { kind: 'recur', slots: target.slots, args, at: form.start };
}
