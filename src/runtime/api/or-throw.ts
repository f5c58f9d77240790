// Turns the issues of a result into an exception, for programs that let exceptions end a request or a job.
import type { Issue } from '../../base/issue.ts';
import type { Result } from '../../base/result.ts';

/** The issues of a result as an error. Its message has a line for each issue, with place and hint. */
export class IssuesError extends Error {
  override readonly name = 'IssuesError';
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    super(issues.map(lineOf).join('\n'));
    this.issues = issues;
  }
}

/** The value of a result, such as `orThrow(await engine.load('template.yaml'))`. @throws IssuesError */
export function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw new IssuesError(result.error);
  return result.value;
}

function lineOf({ message, hint, place }: Issue): string {
  const where = place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `;
  return `${where}${message}${hint === undefined ? '' : ` (${hint})`}`;
}
