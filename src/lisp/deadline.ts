// The deadline of an evaluation, by a clock of the caller: one instant for compiling, running and printing.
import { defaultLimits, type Limits } from './limits.ts';

export interface TimeOptions {
  /** A clock in milliseconds; without one there is no deadline. */
  readonly now?: () => number;
  /** The deadline by that clock; default `limits.deadline` after the call. */
  readonly endsAt?: number;
}

/** One deadline for all parts of an evaluation: pass it to `compile`, `run` and `toJson`. */
export function deadlineFrom(now: () => number, limits: Partial<Limits>): Required<TimeOptions> {
  return { now, endsAt: now() + (limits.deadline ?? defaultLimits.deadline) };
}
