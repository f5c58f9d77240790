// When an expression must have ended, by a clock that is handed in: one instant for reading, running and writing it out.
import { defaultLimits, type Limits } from './limits.ts';

export interface TimeOptions {
  /** A clock in milliseconds, for the deadline; without one there is none. */
  readonly now?: () => number;
  /** The instant of the deadline by that clock; `limits.deadline` after the call when left out. */
  readonly endsAt?: number;
}

/** The same instant for every part of one evaluation: hand it to `compile`, `run` and `toJson`. */
export function deadlineFrom(now: () => number, limits: Partial<Limits>): Required<TimeOptions> {
  return { now, endsAt: now() + (limits.deadline ?? defaultLimits.deadline) };
}
