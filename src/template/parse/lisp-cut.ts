// A trap of YAML: in a plain scalar ` #` begins a comment, so that `!lisp (map #(inc %) xs)` ends before the `#`.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import type { Locate } from './line-positions.ts';

/** Lisp forms that begin with `#`; a YAML comment rarely begins so. */
const CUT = /^\s+(?=#[({"])/;

/** Where a plain scalar that ends here was cut, if it was: it is marked as Lisp, or a form that is not closed. */
export function cutAfter(text: string, scalar: string, end: number, isLisp: boolean): number | undefined {
  if (!isLisp && !isOpenForm(scalar)) return undefined;
  const gap = CUT.exec(text.slice(end, end + 200))?.[0];
  return gap === undefined ? undefined : end + gap.length;
}

/** In a text that is no YAML: the first such cut before the place where it stopped being YAML. */
export function cutBefore(text: string, end: number): number | undefined {
  const cut = /!lisp[ \t]+(?=\()[^\n]*?[ \t](?=#[({"])/.exec(text.slice(0, end));
  return cut === null ? undefined : cut.index + cut[0].length;
}

export function cutIssue(text: string, from: number, path: readonly PathPart[], locate: Locate): Issue {
  const end = text.indexOf('\n', from);
  return issue(
    'YAML_LISP_CUT',
    'the expression ends here: after a space, YAML reads "#" as the beginning of a comment',
    {
      path,
      place: locate(from, end < 0 ? text.length : end),
      hint: 'write "!lisp |" and the expression on the lines below it, or put it in quotes',
    },
  );
}

function isOpenForm(scalar: string): boolean {
  return scalar.startsWith('(') && scalar.split('(').length > scalar.split(')').length;
}
