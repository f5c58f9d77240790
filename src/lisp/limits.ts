// The bounds within which a program runs, each counted by the machine and the same on every computer but the last.

export interface Limits {
  /** Units of work: one for each call, loop turn and element that a builtin handles. */
  readonly fuel: number;
  /** Slots of memory a run may ask for, all told: elements of collections, and text at eight characters a slot. */
  readonly cells: number;
  /** Nested calls; also how deep data may nest where it is walked, compared or printed. */
  readonly depth: number;
  /** Characters (UTF-16 units) of one string. */
  readonly text: number;
  /** Nested brackets in the source. */
  readonly nesting: number;
  /** Characters of the source. */
  readonly source: number;
  /** Milliseconds of wall clock, a last guard; counts only when the caller hands in a clock. */
  readonly deadline: number;
}

export const defaultLimits: Limits = {
  fuel: 100_000,
  cells: 8_000_000,
  depth: 1_000,
  text: 1_000_000,
  nesting: 100,
  source: 100_000,
  deadline: 1_000,
};
