// Keeps one issue for each mistake: an error of the schema that another one causes is dropped.
import type { Issue, PathPart } from '../../base/issue.ts';

/** An issue of the shape, with its consequences. */
export interface FoundIssue {
  readonly issue: Issue;
  /** The keys that the author means, with spaces between: they are not reported as missing too. */
  readonly means?: string;
  /** A part whose errors the issue explains. */
  readonly explains?: readonly PathPart[];
  /** The map that has one such issue, whatever else is wrong in the same way. */
  readonly once?: readonly PathPart[];
}

/** Keeps one issue for each place. Drops missing keys that are only misspelled, and misplaced keys of a step with an invalid type. */
export function withoutEchoes(found: readonly FoundIssue[]): readonly FoundIssue[] {
  const wrongTypes = found
    .filter(({ issue }) => issue.path.at(-1) === 'type')
    .map(({ issue }) => textOf(issue.path.slice(0, -1)));
  const isExcused = excuses(found);
  const seen = new Set<string>();
  return found.filter(({ issue, once }) => {
    const key =
      once === undefined
        ? textOf([issue.code === 'SHAPE_MISSING_KEY' ? issue.message : '', ...issue.path])
        : `once ${textOf(once)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    if (issue.code === 'SHAPE_MISSING_KEY') return !isExcused(issue);
    return issue.code !== 'SHAPE_KEY_MISPLACED' || !wrongTypes.includes(textOf(issue.path.slice(0, -1)));
  });
}

/** Tells whether a missing key is there under another name. */
function excuses(found: readonly FoundIssue[]): (missing: Issue) => boolean {
  const meant = new Set<string>();
  let ofSteps = false;
  for (const { issue, means } of found) {
    if (issue.code === 'SHAPE_MISSING_KEY') continue;
    const holder = issue.path.slice(0, -1);
    const near = /^did you mean "([^"]*)"\?$/.exec(issue.hint ?? '')?.[1];
    for (const each of [...(means?.split(' ') ?? []), near])
      if (each !== undefined) meant.add(textOf([...holder, each]));
    // A handler beside the steps is missing in one of them.
    if (holder.length === 0 && means === 'handler') ofSteps = true;
  }
  return ({ message, path }) => {
    const missing = /has no "?(\w+)"?$/.exec(message)?.[1] ?? '';
    return meant.has(textOf([...path, missing])) || (ofSteps && missing === 'handler');
  };
}

function textOf(path: readonly PathPart[]): string {
  return JSON.stringify(path);
}
