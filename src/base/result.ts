// A value, or the reason why there is none.
import type { Issue } from './issue.ts';

/** `E` is the reason: issues for wrong input, a `Failure` for a failed try. */
export type Result<T, E = readonly Issue[]> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Issue[] }
  | { readonly ok: false; readonly error: E };

const NO_WARNINGS: readonly Issue[] = Object.freeze([]);

export function good<T>(value: T, warnings: readonly Issue[] = NO_WARNINGS): Result<T, never> {
  return { ok: true, value, warnings };
}

export function bad<E>(error: E): Result<never, E> {
  return { ok: false, error };
}
