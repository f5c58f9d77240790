// Counts the steps of a run by status with each change, so that a list of runs folds and counts nothing.
import type { Failure } from '../../base/failure.ts';
import type { SkipReason } from '../record/step-events.schema.ts';

/** The number of steps by status; `aborted`: a spent budget cut them off; `tolerated`: they failed, and their dependents ran. */
export type StepTally = ReturnType<typeof newTally>;
export type CountedStatus = keyof StepTally;

interface EndedStep {
  readonly status: Exclude<CountedStatus, 'aborted' | 'tolerated'>;
  readonly skipped: SkipReason | undefined;
  readonly failure: Failure | undefined;
}

export function newTally() {
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
export function wasCutOff({ skipped, failure }: Pick<EndedStep, 'skipped' | 'failure'>): boolean {
  return skipped === 'budget' && failure !== undefined;
}

/** The status under which a step is counted. */
export function countedStatus(step: EndedStep): CountedStatus {
  const { status, skipped } = step;
  if (status !== 'skipped') return status;
  if (wasCutOff(step)) return 'aborted';
  return skipped === 'tolerated' ? 'tolerated' : 'skipped';
}
