// Removes runs that ended long ago, with their child runs, and the values that no other run has.
import type { Instant } from '../../base/quantity.ts';
import type { Journal } from '../../store/journal.ts';
import type { RunSummary } from '../../view/runs/run-summary.ts';
import type { PrunedRuns, PruneOptions } from '../api/pruning.ts';

/** The runs of one transaction, so that other processes wait a short time only. */
const PART = 50;

export function pruneRuns(
  journal: Journal,
  runs: readonly RunSummary[],
  now: Instant,
  { before, dry = false, onRemoved }: PruneOptions,
): PrunedRuns {
  const chosen = endedFamilies(runs, before);
  if (dry || chosen.length === 0) return { runs: chosen, values: 0 };
  const removed = new Set<string>();
  for (let from = 0; from < chosen.length; from += PART) {
    const part = chosen.slice(from, from + PART).map(({ id }) => id);
    for (const id of journal.remove(part, now)) removed.add(id);
    onRemoved?.(Math.min(from + PART, chosen.length), chosen.length);
  }
  return { runs: chosen.filter(({ id }) => removed.has(id)), values: journal.sweep() };
}

/** A child run goes with the run that called it, because the caller's journal names its result. */
function endedFamilies(runs: readonly RunSummary[], before: Instant): readonly RunSummary[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const rootOf = (run: RunSummary): string => {
    const parent = run.parent === undefined ? undefined : byId.get(run.parent);
    return parent === undefined ? run.id : rootOf(parent);
  };
  const staying = new Set(
    runs.flatMap((run) => (run.endedAt !== undefined && run.endedAt < before && !run.driven ? [] : [rootOf(run)])),
  );
  return runs.filter((run) => !staying.has(rootOf(run)));
}
