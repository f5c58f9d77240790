// What the analysis of one program carries from form to form.
import { counted } from '../../base/counted.ts';
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

/** More are counted, not listed: nobody reads them, and each has a place to be found. */
const MOST_FINDINGS = 100;

export interface Analysis {
  readonly findings: Finding[];
  /** Findings beyond those that are listed. */
  unlisted: number;
  /** Times that a word may still be looked for among all known names. */
  searches: number;
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
  if (isFull(a)) a.unlisted += 1;
  else a.findings.push({ code, message, hint, start: at.start, end: at.end });
  return nothing(at);
}

function isFull({ findings }: Analysis): boolean {
  return findings.length >= MOST_FINDINGS;
}

/** All that is wrong, and how much more there is. */
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
