// Whether a planner made the same mistakes again: then asking once more would bring nothing new.
import { type Issue, pathText } from '../base/issue.ts';

/** Order and repetition do not matter; warnings do not count. */
export function sameIssues(before: readonly Issue[], after: readonly Issue[]): boolean {
  const first = marksOf(before);
  const second = marksOf(after);
  return first.size === second.size && [...first].every((mark) => second.has(mark));
}

function marksOf(issues: readonly Issue[]): ReadonlySet<string> {
  const errors = issues.filter(({ severity }) => severity === 'error');
  return new Set(errors.map(({ code, path, message }) => `${code} ${pathText(path)} ${message}`));
}
