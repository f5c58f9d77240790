// Counts the steps of a run by status with each change, so that a list of runs folds and counts nothing.
import type { Step, StepStatus } from './state.ts';

/** `aborted`: a spent budget cut the step off. `tolerated`: the step failed, and its dependents ran. Neither is `skipped`. */
export type CountedStatus = StepStatus | 'aborted' | 'tolerated';

export type StepTally = Record<CountedStatus, number>;

export function newTally(): StepTally {
  return {
    waiting: 0,
    ready: 0,
    running: 0,
    retrying: 0,
    held: 0,
    completed: 0,
    resolved: 0,
    failed: 0,
    aborted: 0,
    tolerated: 0,
    skipped: 0,
    cancelled: 0,
    superseded: 0,
  };
}

/** Whether a spent budget ended the step after an attempt had begun. */
export function wasCutOff({ skipped, failure }: Pick<Step, 'skipped' | 'failure'>): boolean {
  return skipped === 'budget' && failure !== undefined;
}

export function countedStatus(step: Pick<Step, 'status' | 'skipped' | 'failure'>): CountedStatus {
  const { status, skipped } = step;
  if (status !== 'skipped') return status;
  if (wasCutOff(step)) return 'aborted';
  return skipped === 'tolerated' ? 'tolerated' : 'skipped';
}
