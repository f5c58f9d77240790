// The rows of a table of steps: the whole tree, or only the steps with one status, each with the phase that it is in.
import type { RunView } from '../engine/state/run-view.ts';
import { type ShownStatus, shownStatusOf } from './phases/shown-status.ts';
import type { TreeStep } from './run-tree.ts';

export interface TreeRow {
  readonly step: TreeStep;
  readonly depth: number;
  /** The planning step or fan-out that the step is part of. */
  readonly within?: TreeStep;
}

/** All steps in the order of the tree; the repairs of a plan stand on its own level. */
export function treeRows(steps: readonly TreeStep[], depth = 0, within?: TreeStep): readonly TreeRow[] {
  return steps.flatMap((step) => [
    within === undefined ? { step, depth } : { step, depth, within },
    ...treeRows(step.steps, depth + 1, step),
    ...treeRows(step.repairs, depth, within),
  ]);
}

export function rowsWithStatus(
  rows: readonly TreeRow[],
  state: RunView,
  status: ShownStatus | undefined,
): readonly TreeRow[] {
  return status === undefined ? rows : rows.filter(({ step }) => filedUnder(state, step) === status);
}

/** A failure that was tolerated, and a step that a spent budget cut off, are filed under failures, as in the head of the run. */
function filedUnder(state: RunView, step: TreeStep): ShownStatus {
  const { skipped, failure } = step;
  const hasFailed = failure !== undefined && (skipped === 'tolerated' || skipped === 'budget');
  return hasFailed ? 'failed' : shownStatusOf(state, step);
}

const mostUrgentFirst: readonly ShownStatus[] = [
  'failed',
  'asks',
  'running',
  'retrying',
  'queued',
  'waiting',
  'not_run',
  'replaced',
  'completed',
];

export interface StatusFilter {
  readonly status: ShownStatus;
  readonly count: number;
}

/** The statuses that steps have. The filter for failures is always there, so that its absence of steps can be seen. */
export function statusFilters(rows: readonly TreeRow[], state: RunView): readonly StatusFilter[] {
  const counts = Map.groupBy(rows, ({ step }) => filedUnder(state, step));
  return mostUrgentFirst
    .map((status) => ({ status, count: counts.get(status)?.length ?? 0 }))
    .filter(({ status, count }) => status === 'failed' || count > 0);
}
