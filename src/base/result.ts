// An answer that is either a value or the issues that stood in its way.
import type { Issue } from './issue.ts';

export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Issue[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

export function good<T>(value: T, warnings: readonly Issue[] = []): Result<T> {
  return { ok: true, value, warnings };
}

export function bad<T>(issues: readonly Issue[]): Result<T> {
  return { ok: false, issues };
}
