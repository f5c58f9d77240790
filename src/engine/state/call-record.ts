// One call of an attempt, as the state of a run keeps it.
import type { Digest } from '../../base/digest.ts';
import type { Failure } from '../../base/failure.ts';
import type { Amount } from '../../budget/amount.ts';
import type { StoredValue } from '../record/event-parts.schema.ts';
import type { CallKind, Purpose } from '../record/step-events.schema.ts';

export interface CallRecord {
  readonly kind: CallKind;
  readonly name: string;
  readonly purpose: Purpose | undefined;
  readonly request: Digest;
  readonly key: string | undefined;
  /** The attempt and the delivery that made the call. A later one makes it again if it has no outcome. 0: it was taken back. */
  readonly attempt: number;
  readonly delivery: number;
  readonly reserved: Amount | undefined;
  /** Absent while it is under way, and when it was lost. */
  outcome: { readonly value: StoredValue } | { readonly failure: Failure } | undefined;
}
