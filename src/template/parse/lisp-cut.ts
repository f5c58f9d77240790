// Detects Lisp that YAML cuts off: in a plain scalar ` #` begins a comment, so `!lisp (map #(inc %) xs)` ends before the `#`.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import type { Locate } from './line-positions.ts';

/** The beginnings of Lisp forms with `#`; a YAML comment rarely begins like them. */
const CUT = /^\s+(?=#[({"])/;

/** The offset at which a plain scalar was cut; undefined unless the scalar is tagged as Lisp or is an open form. */
export function cutAfter(text: string, scalar: string, end: number, isLisp: boolean): number | undefined {
  if (!isLisp && !isOpenForm(scalar)) return undefined;
  const gap = CUT.exec(text.slice(end, end + 200))?.[0];
  return gap === undefined ? undefined : end + gap.length;
}

/** The offset of the first cut before a YAML syntax error. */
export function cutBefore(text: string, end: number): number | undefined {
  const cut = /!lisp[ \t]+(?=\()[^\n]*?[ \t](?=#[({"])/.exec(text.slice(0, end));
  return cut === null ? undefined : cut.index + cut[0].length;
}

export function cutIssue(text: string, from: number, path: readonly PathPart[], locate: Locate): Issue {
  const end = text.indexOf('\n', from);
  return issue('YAML_LISP_CUT', 'the expression ends here, because YAML reads " #" as the beginning of a comment', {
    path,
    place: locate(from, end < 0 ? text.length : end),
    hint: 'write "!lisp |" and the expression on the lines below it, or put it in quotes',
  });
}

function isOpenForm(scalar: string): boolean {
  return scalar.startsWith('(') && scalar.split('(').length > scalar.split(')').length;
}
