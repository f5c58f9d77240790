// Judges the outcome of a predicate: passed, failed with or without a diagnosis, or error.
import type { LispError, Outcome } from './run.ts';

export type Judgement =
  | { readonly passed: true }
  | { readonly passed: false; readonly diagnosis?: string }
  | { readonly error: LispError };

/** nil and false fail; a string and `(fail "…")` fail with that diagnosis; other values pass. An error never passes. */
export function judgePredicate(outcome: Outcome): Judgement {
  if (!outcome.ok) {
    return outcome.error.family === 'fail'
      ? { passed: false, diagnosis: outcome.error.message }
      : { error: outcome.error };
  }
  const { value } = outcome;
  if (typeof value === 'string') return { passed: false, diagnosis: value };
  return value === null || value === false ? { passed: false } : { passed: true };
}
