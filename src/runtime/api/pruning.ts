// The options and the answer of the removal of old runs.
import type { Instant } from '../../base/quantity.ts';
import type { RunSummary } from '../../view/runs/run-summary.ts';

export interface PruneOptions {
  /** Families of runs that ended before this time are removed; each run of a family has ended. */
  readonly before: Instant;
  /** Only chooses the runs. */
  readonly dry?: boolean;
  /** Called after each part. */
  readonly onRemoved?: (removed: number, all: number) => void;
}

export interface PrunedRuns {
  /** The removed runs, newest first; with `dry`, the runs that would be removed. */
  readonly runs: readonly RunSummary[];
  /** The number of removed values. */
  readonly values: number;
}
