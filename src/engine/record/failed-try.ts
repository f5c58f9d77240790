// A try: an attempt that failed and was followed by another.
import type { StoredValue } from './event-parts.schema.ts';

export interface FailedTry {
  readonly attempt: number;
  readonly code: string;
  readonly message: string;
  /** The result that did not pass. */
  readonly output: StoredValue | undefined;
}
