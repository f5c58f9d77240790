// The bounds within which a program runs, each counted by the machine and the same on every computer but the last.

export interface Limits {
  /** Units of work: one for each call, loop turn and element that a builtin handles. */
  readonly fuel: number;
  /** Slots of memory a run may ask for, all told: elements of collections, and text at eight characters a slot. */
  readonly cells: number;
  /** Levels of nesting while running: a call weighs as many as its body nests, a level of data that is walked four. */
  readonly depth: number;
  /** Characters (UTF-16 units) of one string. */
  readonly text: number;
  /** About the characters of a value that is written out as JSON or EDN: each element, key and bracket counts, however often it is shared. */
  readonly output: number;
  /** Nested brackets in the source. */
  readonly nesting: number;
  /** Characters of the source. */
  readonly source: number;
  /** Milliseconds of wall clock, a last guard; counts only when the caller hands in a clock. */
  readonly deadline: number;
}

/** The words of a hint: templates write the limits of the Lisp under `limits.lisp`, code hands them in as `limits`. */
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
