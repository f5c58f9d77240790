// The nine statuses that people see, and how many steps have each.
import type { RunView } from '../../engine/state/run-view.ts';
import type { StepStatus } from '../../engine/state/state.ts';

export type ShownStatus =
  | 'completed'
  | 'failed'
  | 'running'
  /** It failed, and waits for its next attempt. */
  | 'retrying'
  /** It could begin, and waits for a free place. */
  | 'queued'
  /** It waits for a person. */
  | 'asks'
  /** It waits for other steps. */
  | 'waiting'
  /** It was skipped or cancelled. */
  | 'not_run'
  /** A replan took its place. */
  | 'replaced';

export type StatusCounts = Readonly<Record<ShownStatus, number>>;

/** In the order of a legend and of a bar: finished work first, failures last. */
export const shownStatuses: readonly ShownStatus[] = [
  'completed',
  'running',
  'retrying',
  'queued',
  'asks',
  'waiting',
  'not_run',
  'replaced',
  'failed',
];

const shownAs: Readonly<Record<StepStatus, ShownStatus>> = {
  waiting: 'waiting',
  ready: 'queued',
  running: 'running',
  retrying: 'retrying',
  held: 'asks',
  completed: 'completed',
  resolved: 'completed',
  failed: 'failed',
  skipped: 'not_run',
  cancelled: 'not_run',
  superseded: 'replaced',
};

export function shownStatusOf(_state: RunView, { status }: { readonly status: StepStatus }): ShownStatus {
  return shownAs[status];
}

/** Steps that the state does not have yet are not counted. */
export function countStatuses(state: RunView, steps: Iterable<string>): StatusCounts {
  const counts = emptyCounts();
  for (const id of steps) {
    const step = state.steps.get(id);
    if (step !== undefined) counts[shownStatusOf(state, step)] += 1;
  }
  return counts;
}

export function addCounts(counts: readonly StatusCounts[]): StatusCounts {
  const sum = emptyCounts();
  for (const each of counts) for (const status of shownStatuses) sum[status] += each[status];
  return sum;
}

/** The number of steps that are counted. */
export function countedSteps(counts: StatusCounts): number {
  return shownStatuses.reduce((sum, status) => sum + counts[status], 0);
}

const mostUrgentFirst: readonly ShownStatus[] = ['asks', 'running', 'retrying', 'failed', 'queued'];

/** The status that stands for several steps together; undefined without steps. */
export function leadingStatus(counts: StatusCounts): ShownStatus | undefined {
  const urgent = mostUrgentFirst.find((status) => counts[status] > 0);
  if (urgent !== undefined) return urgent;
  // Steps that wait tell more than finished ones: the work is not done.
  return (['waiting', 'completed', 'replaced', 'not_run'] as const).find((status) => counts[status] > 0);
}

function emptyCounts(): Record<ShownStatus, number> {
  return {
    completed: 0,
    failed: 0,
    running: 0,
    retrying: 0,
    queued: 0,
    asks: 0,
    waiting: 0,
    not_run: 0,
    replaced: 0,
  };
}
