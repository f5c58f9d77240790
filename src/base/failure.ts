// Failures: how a step ended when it did not succeed.

import type { Issue } from './issue.ts';
import { defined } from './json.ts';

export interface Failure {
  /** NOUN_PROBLEM; each is a row in docs/errors.md. */
  readonly code: string;
  readonly message: string;
  /** `never`: the same attempt again would fail the same way. */
  readonly retry: 'may' | 'never';
  /** Milliseconds the other side asked us to wait before the next attempt. */
  readonly retryAfter?: number;
  /** `refused`: the call has not been carried out; `unknown`: nobody knows whether it has. Absent: it was tried, and failed. */
  readonly fate?: Fate;
  readonly cause?: Failure;
  readonly issues?: readonly Issue[];
}

export type Fate = 'refused' | 'unknown';

export interface FailureDetails {
  readonly fate?: Fate | undefined;
  readonly retry?: 'may' | 'never';
  readonly retryAfter?: number | undefined;
  readonly cause?: Failure | undefined;
  readonly issues?: readonly Issue[] | undefined;
}

export function failure(code: string, message: string, details: FailureDetails = {}): Failure {
  return {
    code,
    message,
    retry: details.retry ?? 'may',
    ...defined({ retryAfter: details.retryAfter, fate: details.fate, cause: details.cause, issues: details.issues }),
  };
}
