// What the analysis of one program carries from form to form.

import { arityText } from '../builtin.ts';
import type { Form } from '../form.ts';
import type { Machine } from '../value.ts';
import type { Node } from './node.ts';
import type { Scope } from './scope.ts';

/** An issue before its place is known. */
export interface Finding {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly start: number;
  readonly end: number;
}

export interface Analysis {
  readonly findings: Finding[];
  /** Slots of names made by `def`. */
  readonly globals: Map<string, number>;
  /** Slots of the `data/` names that the program reads. */
  readonly data: Map<string, number>;
  /** The names that `data/` offers; undefined: any. */
  readonly offered: ReadonlySet<string> | undefined;
  /** Names that stand for `data/` names without the prefix. */
  readonly aliases: ReadonlySet<string>;
  /** For folding constants. */
  readonly machine: Machine;
  /** Every name that some `def` in the program makes, also further down. */
  readonly defined: ReadonlySet<string>;
  /** Threading nests forms that the source does not: how deep they are, and may be. */
  readonly depth: { now: number; readonly most: number };
  readonly node: (form: Form, scope: Scope) => Node;
}

/** A special form: unfolds one list into a node. */
export type Special = (a: Analysis, form: ListForm, scope: Scope) => Node;

export interface ListForm {
  readonly items: readonly Form[];
  readonly start: number;
  readonly end: number;
}

/** Notes what is wrong and goes on, so that all of it is found. */
export function report(
  a: Analysis,
  code: string,
  at: { readonly start: number; readonly end: number },
  message: string,
  hint?: string,
): Node {
  a.findings.push({ code, message, hint, start: at.start, end: at.end });
  return nothing(at);
}

export function nothing(at: { readonly start: number }): Node {
  return { kind: 'const', value: null, at: at.start };
}

/** Reports and answers false unless the number of parts after the name is right. */
export function countParts(a: Analysis, form: ListForm, name: string, min: number, max: number): boolean {
  const count = form.items.length - 1;
  if (count >= min && count <= max) return true;
  report(a, 'LISP_ARITY', form, `${name} takes ${arityText(min, max)}, not ${count}`);
  return false;
}

/** Forms one after the other; the value is the last one's, nil when there is none. */
export function sequence(a: Analysis, forms: readonly Form[], scope: Scope, at: { readonly start: number }): Node {
  const last = forms.length - 1;
  if (last < 0) return nothing(at);
  const inner: Scope = { ...scope, target: undefined };
  const body = forms.map((form, i) => a.node(form, i === last ? scope : inner));
  const [only] = body;
  return body.length === 1 && only !== undefined ? only : { kind: 'do', body, at: at.start };
}
