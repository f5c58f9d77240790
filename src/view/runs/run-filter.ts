// Filters and sorts a list of runs.
import type { Instant } from '../../base/quantity.ts';
import { microDollarsOf } from '../../budget/display-figures.ts';
import { type Bounds, isWithin } from './bounds.ts';
import { type RunSummary, stepCount, workedUntil } from './run-summary.ts';

/** The statuses by which runs are filtered; `partial`: completed in part. */
export const filterStatuses = [
  'running',
  'waiting',
  'paused',
  'interrupted',
  'cancelling',
  'completed',
  'partial',
  'failed',
  'cancelled',
] as const;
export type FilterStatus = (typeof filterStatuses)[number];

export const sortKeys = ['started', 'duration', 'cost', 'steps', 'failed'] as const;
export type SortKey = (typeof sortKeys)[number];

/** A run matches when it matches all that are present. */
export interface RunFilter {
  readonly statuses?: readonly FilterStatus[];
  /** Names of templates; `*` stands for any letters. */
  readonly templates?: readonly string[];
  /** The period in which the run was started. */
  readonly since?: Instant;
  readonly until?: Instant;
  /** Micro-dollars. */
  readonly cost?: Bounds;
  /** Milliseconds of work. */
  readonly took?: Bounds;
  /** Words that all occur, in lower case. */
  readonly words?: readonly string[];
  /** A step failed, however the run ended. */
  readonly withFailures?: true;
  /** The run is a fork, or was forked. */
  readonly forks?: true;
}

export interface RunOrdering {
  readonly by: SortKey;
  /** The oldest, or the smallest, first. */
  readonly isReversed: boolean;
}

export const newestFirst: RunOrdering = { by: 'started', isReversed: false };

/** `now`: running runs have worked until then. */
export function matchesFilter(filter: RunFilter, run: RunSummary, now: Instant): boolean {
  const { statuses, templates, since, until, cost, took, words, withFailures, forks } = filter;
  return (
    (statuses === undefined || statuses.some((status) => hasStatus(run, status))) &&
    (templates === undefined || templates.some((name) => isNamed(run.template, name))) &&
    (since === undefined || run.createdAt >= since) &&
    (until === undefined || run.createdAt <= until) &&
    (cost === undefined || isWithin(cost, microDollarsOf(run.spent.cost_usd ?? 0))) &&
    (took === undefined || isWithin(took, workedUntil(run, now) ?? Number.NaN)) &&
    (withFailures === undefined || hasFailures(run)) &&
    (forks === undefined || isForkOrForked(run)) &&
    (words === undefined || hasWords(run, words))
  );
}

/** `completed` includes runs that completed in part; `waiting` includes running runs with an open question. */
function hasStatus(run: RunSummary, status: FilterStatus): boolean {
  if (status === 'partial') return run.status === 'completed' && run.partial;
  if (status === 'waiting') return run.status === 'waiting' || run.gates > 0;
  return run.status === status;
}

function hasFailures({ failed = 0, status }: RunSummary): boolean {
  return failed > 0 || status === 'failed';
}

function isForkOrForked({ forked, forks = [] }: RunSummary): boolean {
  return forked !== undefined || forks.length > 0;
}

function isNamed(template: string, pattern: string): boolean {
  if (!pattern.includes('*')) return template === pattern;
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(template);
}

function hasWords(run: RunSummary, words: readonly string[]): boolean {
  const { id, template, status, partial, parent, parentStep, forked, question, failure } = run;
  const text = [
    ...[id, template, status, partial ? 'partial in part' : '', parent, parentStep, forked?.from],
    ...[question?.prompt, question?.kind, question?.step, failure?.code, failure?.message],
  ]
    .join(' ')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Runs without the figure come last. The given order, newest first, decides between equal figures. */
export function sortedRuns(runs: readonly RunSummary[], ordering: RunOrdering, now: Instant): readonly RunSummary[] {
  const { by, isReversed } = ordering;
  if (by === 'started') return isReversed ? runs.toReversed() : runs;
  const figures = new Map(runs.map((run) => [run.id, figureOf(run, by, now)]));
  const figure = ({ id }: RunSummary): number | undefined => figures.get(id);
  return runs.toSorted((one, other) => {
    const [first, second] = [figure(one), figure(other)];
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined);
    return isReversed ? first - second : second - first;
  });
}

function figureOf(run: RunSummary, by: Exclude<SortKey, 'started'>, now: Instant): number | undefined {
  switch (by) {
    case 'duration':
      return workedUntil(run, now);
    case 'cost':
      return run.spent.cost_usd ?? 0;
    case 'steps':
      return stepCount(run);
    case 'failed':
      return run.failed;
  }
}

/** Whether the filter or the order needs figures that runs of earlier versions lack. */
export function needsFigures({ took, withFailures, forks, words }: RunFilter, { by }: RunOrdering): boolean {
  const byFigure = by === 'duration' || by === 'failed' || by === 'steps';
  return byFigure || [took, withFailures, forks, words].some((each) => each !== undefined);
}
