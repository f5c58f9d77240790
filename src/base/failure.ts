// Failures: the reason why a step did not succeed.

import type { Issue } from './issue.ts';
import { defined } from './json.ts';
import type { Duration } from './quantity.ts';

export interface Failure {
  /** NOUN_PROBLEM; docs/errors.md has a row for each. */
  readonly code: string;
  readonly message: string;
  /** How to mend it; begins with a verb. */
  readonly hint?: string;
  /** `never`: a retry would fail the same way. */
  readonly retry: 'may' | 'never';
  /** The wait before the next attempt that the other side asked for. */
  readonly retryAfter?: Duration;
  /** `refused`: the call was not carried out; `unknown`: nobody knows. Absent: the call was tried and failed. */
  readonly fate?: Fate;
  readonly cause?: Failure;
  readonly issues?: readonly Issue[];
}

export type Fate = 'refused' | 'unknown';

export interface FailureDetails {
  readonly hint?: string | undefined;
  readonly fate?: Fate | undefined;
  readonly retry?: 'may' | 'never';
  readonly retryAfter?: Duration | undefined;
  readonly cause?: Failure | undefined;
  readonly issues?: readonly Issue[] | undefined;
}

export function failure(code: string, message: string, details: FailureDetails = {}): Failure {
  return {
    code,
    message,
    retry: details.retry ?? 'may',
    ...defined({
      hint: details.hint,
      retryAfter: details.retryAfter,
      fate: details.fate,
      cause: details.cause,
      issues: details.issues,
    }),
  };
}
