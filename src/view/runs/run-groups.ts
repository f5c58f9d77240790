// Groups runs by template, each with a short history of time, cost and success.
import type { Instant } from '../../base/quantity.ts';
import { microDollarsOf } from '../../budget/display-figures.ts';
import type { CountedStatus } from '../../engine/state/step-tally.ts';
import { addCounts, type ShownStatus, type StatusCounts } from '../phases/shown-status.ts';
import { type RunSummary, workedUntil } from './run-summary.ts';

export interface PastRun {
  readonly id: string;
  /** `good`: completed whole; `part`: completed in part; `bad`: failed or cancelled; `open`: not ended. */
  readonly end: 'good' | 'part' | 'bad' | 'open';
  /** Milliseconds. */
  readonly took: number;
  /** Micro-dollars. */
  readonly cost: number;
}

export interface RunGroup {
  readonly template: string;
  /** The runs that are listed. */
  readonly runs: readonly RunSummary[];
  /** The number of all runs of the template. */
  readonly count: number;
  /** The last runs of the template, listed or not; the oldest first. */
  readonly history: readonly PastRun[];
}

/** A history has at most this many runs. */
const LONGEST_HISTORY = 12;

/** Groups are in the order of their first listed run. `all` has the newest run first. */
export function groupRuns(
  listed: readonly RunSummary[],
  all: readonly RunSummary[],
  now: Instant,
): readonly RunGroup[] {
  const allBy = Map.groupBy(all, ({ template }) => template);
  return [...Map.groupBy(listed, ({ template }) => template)].map(([template, runs]) => {
    const known = allBy.get(template) ?? runs;
    return {
      template,
      runs,
      count: known.length,
      history: known
        .slice(0, LONGEST_HISTORY)
        .toReversed()
        .map((run) => pastRun(run, now)),
    };
  });
}

function pastRun(run: RunSummary, now: Instant): PastRun {
  const { id, spent } = run;
  return { id, end: endOf(run), took: workedUntil(run, now) ?? 0, cost: microDollarsOf(spent.cost_usd ?? 0) };
}

function endOf({ status, partial }: RunSummary): PastRun['end'] {
  if (status === 'completed') return partial ? 'part' : 'good';
  return status === 'failed' || status === 'cancelled' ? 'bad' : 'open';
}

const shownAs: readonly (readonly [CountedStatus, ShownStatus])[] = [
  ['waiting', 'waiting'],
  ['ready', 'queued'],
  ['running', 'running'],
  ['retrying', 'retrying'],
  ['held', 'asks'],
  ['completed', 'completed'],
  ['resolved', 'completed'],
  ['failed', 'failed'],
  ['aborted', 'failed'],
  ['tolerated', 'not_run'],
  ['skipped', 'not_run'],
  ['cancelled', 'not_run'],
  ['superseded', 'replaced'],
];

/** The steps of a run by shown status; undefined while its figures are not known. */
export function shownCounts({ steps }: RunSummary): StatusCounts | undefined {
  if (steps === undefined) return undefined;
  const counts = { ...addCounts([]) };
  for (const [status, shown] of shownAs) counts[shown] += steps[status] ?? 0;
  return counts;
}
