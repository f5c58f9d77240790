// The limits of a program. The machine counts each of them, with the same result on every computer, except the deadline.

export interface Limits {
  /** Units of work: one for each call, each turn of a loop, and each element that a builtin handles. */
  readonly fuel: number;
  /** Slots of memory that a run may allocate in total: one for each element, and one for eight characters of text. */
  readonly cells: number;
  /** Levels of nesting at run time: a call counts the nesting of its body, each level of data in a walk counts four. */
  readonly depth: number;
  /** Characters (UTF-16 units) of one string. */
  readonly text: number;
  /** Roughly the characters of a value as JSON or EDN. Shared parts count each time. */
  readonly output: number;
  /** Nested brackets in the source. */
  readonly nesting: number;
  /** Characters of the source. */
  readonly source: number;
  /** Milliseconds of real time, as a last resort; needs a clock from the caller. */
  readonly deadline: number;
}

/** The hint how to raise a limit: templates set `limits.lisp`, callers pass `limits`. */
export function raising(limit: keyof Limits): string {
  return `raise limits.lisp.${limit} (in code: limits.${limit})`;
}

export const defaultLimits: Limits = {
  fuel: 100_000,
  cells: 8_000_000,
  depth: 4_000,
  text: 1_000_000,
  output: 10_000_000,
  nesting: 100,
  source: 100_000,
  deadline: 1_000,
};
