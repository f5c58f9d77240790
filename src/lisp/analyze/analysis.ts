// The state that the analysis of one program carries from form to form.
import { counted } from '../../base/counted.ts';
import { arityText } from '../builtin.ts';
import type { Form } from '../form.ts';
import type { Machine } from '../value.ts';
import type { Node } from './node.ts';
import type { Scope } from './scope.ts';

/** An issue without its place. */
export interface Finding {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** Further findings are only counted: nobody would read them, and each needs a search for its place. */
const MOST_FINDINGS = 100;

export interface Analysis {
  readonly findings: Finding[];
  /** The number of findings that are not listed. */
  unlisted: number;
  /** The number of searches for similar names that are left. */
  searches: number;
  /** Slots of names from `def`. */
  readonly globals: Map<string, number>;
  /** Slots of the `data/` names that the program reads. */
  readonly data: Map<string, number>;
  /** The names under `data/`; undefined: any. */
  readonly offered: ReadonlySet<string> | undefined;
  /** `data/` names that need no prefix. */
  readonly aliases: ReadonlySet<string>;
  /** Folds constants. */
  readonly machine: Machine;
  /** All names that some `def` in the program defines, also later ones. */
  readonly defined: ReadonlySet<string>;
  /** Threading macros nest forms deeper than the source does: the depth now, and its limit. */
  readonly depth: { now: number; readonly most: number };
  readonly node: (form: Form, scope: Scope) => Node;
}

/** Turns the list of a special form into a node. */
export type Special = (a: Analysis, form: ListForm, scope: Scope) => Node;

export interface ListForm {
  readonly items: readonly Form[];
  readonly start: number;
  readonly end: number;
}

/** Records a finding and continues, so that one compilation finds all errors. */
export function report(
  a: Analysis,
  code: string,
  at: { readonly start: number; readonly end: number },
  message: string,
  hint?: string,
): Node {
  if (isFull(a)) a.unlisted += 1;
  else a.findings.push({ code, message, hint, start: at.start, end: at.end });
  return nothing(at);
}

function isFull({ findings }: Analysis): boolean {
  return findings.length >= MOST_FINDINGS;
}

/** The listed findings, and the number of further ones. */
export function findingsOf({ findings, unlisted }: Analysis): readonly Finding[] {
  const [last] = findings.slice(-1);
  if (last === undefined || unlisted === 0) return findings;
  const message = `${counted(unlisted, 'more problem is', 'more problems are')} not listed`;
  const hint = 'mend those above first, then look again';
  return [...findings, { code: 'LISP_LIMIT', message, hint, start: last.start, end: last.end }];
}

export function nothing(at: { readonly start: number }): Node {
  return { kind: 'const', value: null, at: at.start };
}

/** Reports a wrong number of parts after the name; returns true when it is right. */
export function countParts(a: Analysis, form: ListForm, name: string, min: number, max: number): boolean {
  const count = form.items.length - 1;
  if (count >= min && count <= max) return true;
  report(a, 'LISP_ARITY', form, `${name} takes ${arityText(min, max)}, not ${count}`);
  return false;
}

/** Forms in sequence. The value is that of the last form, nil without forms. */
export function sequence(a: Analysis, forms: readonly Form[], scope: Scope, at: { readonly start: number }): Node {
  const last = forms.length - 1;
  if (last < 0) return nothing(at);
  const inner: Scope = { ...scope, target: undefined };
  const body = forms.map((form, i) => a.node(form, i === last ? scope : inner));
  const [only] = body;
  return body.length === 1 && only !== undefined ? only : { kind: 'do', body, at: at.start };
}
