// Finds the run that has the log lines of a step, if its work was done in another run.
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { RunView } from '../../engine/state/run-view.ts';

export interface LogHome {
  readonly run: string;
  /** `copied`: the run was forked after the work; `child`: a run of its own did the work; `adopted`: the result is another run's. */
  readonly why: 'copied' | 'child' | 'adopted';
}

/** Empty if the step did all of its work in this run, or none yet. */
export function logHomesOf({ forked, steps }: RunView, events: readonly Recorded[], step: string): readonly LogHome[] {
  const homes: LogHome[] = [];
  const child = steps.get(step)?.child;
  if (child !== undefined) homes.push({ run: child, why: 'child' });
  for (const { version, event } of events) {
    if (!('step' in event) || event.step !== step) continue;
    if (event.type === 'attempt.started' && forked !== undefined && version <= forked.at) {
      homes.push({ run: forked.from, why: 'copied' });
      break;
    }
    if (event.type === 'step.adopted' && event.run !== undefined) homes.push({ run: event.run, why: 'adopted' });
  }
  return homes;
}

export function logHomeText({ run, why }: LogHome, step: string): string {
  switch (why) {
    case 'child':
      return `the work of ${step} is the run ${run}`;
    case 'copied':
      return `${step} began in the run ${run}, before this run was forked from it`;
    case 'adopted':
      return `the result of ${step} is from the run ${run}`;
  }
}
