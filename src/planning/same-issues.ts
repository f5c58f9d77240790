// Tells whether a planner repeated its mistakes, so that asking again is useless.
import { type Issue, pathText } from '../base/issue.ts';

/** Compares errors as sets and ignores warnings. */
export function sameIssues(before: readonly Issue[], after: readonly Issue[]): boolean {
  const first = marksOf(before);
  const second = marksOf(after);
  return first.size === second.size && [...first].every((mark) => second.has(mark));
}

function marksOf(issues: readonly Issue[]): ReadonlySet<string> {
  const errors = issues.filter(({ severity }) => severity === 'error');
  return new Set(errors.map(({ code, path, message }) => `${code} ${pathText(path)} ${message}`));
}
