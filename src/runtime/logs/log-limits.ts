// The limits of logs, which keep a store small whatever a capability writes.

/** Lines and characters of messages and attributes. */
export interface LogLimit {
  readonly lines: number;
  readonly characters: number;
}

export interface LogLimits {
  readonly attempt: LogLimit;
  readonly run: LogLimit;
  /** The last lines of a call beyond the limit that are kept all the same. */
  readonly tail: number;
}

export const logLimits: LogLimits = {
  attempt: { lines: 5_000, characters: 1_000_000 },
  run: { lines: 200_000, characters: 32_000_000 },
  tail: 50,
};

/** The longest message and the longest attributes are cut where they are written, in `capabilities/log-data.ts`. */
export interface LogUse {
  lines: number;
  characters: number;
}

export function fits(used: LogUse, characters: number, limit: LogLimit): boolean {
  return used.lines < limit.lines && used.characters + characters <= limit.characters;
}
