// Puts forks and child runs under the runs that they came from, as a tree in the order of its lines.
import type { RunSummary } from './run-summary.ts';

export interface LineageRow {
  readonly run: RunSummary;
  /** 0 for a run whose origin is not in the list. */
  readonly depth: number;
}

/**
 * Families are in the order of their first members in the list. In a family each run is followed by its child runs and
 * its forks, in the order of the list reversed: the oldest first where the newest run heads the list.
 */
export function lineageRows(runs: readonly RunSummary[]): readonly LineageRow[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const below = new Map<string, RunSummary[]>();
  for (const run of runs.toReversed()) {
    const origin = originOf(run, byId);
    if (origin === undefined) continue;
    const siblings = below.get(origin.id);
    if (siblings === undefined) below.set(origin.id, [run]);
    else siblings.push(run);
  }
  const rows: LineageRow[] = [];
  const placed = new Set<string>();
  const place = (run: RunSummary, depth: number): void => {
    if (placed.has(run.id)) return;
    placed.add(run.id);
    rows.push({ run, depth });
    for (const each of below.get(run.id) ?? []) place(each, depth + 1);
  };
  for (const run of runs) place(rootOf(run, byId), 0);
  return rows;
}

/** The listed run that the run is a child or a fork of. */
function originOf({ parent, forked }: RunSummary, byId: ReadonlyMap<string, RunSummary>): RunSummary | undefined {
  return byId.get(parent ?? '') ?? byId.get(forked?.from ?? '');
}

function rootOf(run: RunSummary, byId: ReadonlyMap<string, RunSummary>): RunSummary {
  const seen = new Set<string>();
  let root = run;
  for (let above = originOf(root, byId); above !== undefined && !seen.has(above.id); above = originOf(root, byId)) {
    seen.add(above.id);
    root = above;
  }
  return root;
}

/** `for a1b2c3d4`, `fork of a1b2c3d4 at event 25` */
export function originText({ parent, parentStep, forked }: RunSummary): string | undefined {
  if (parent !== undefined) return `for ${parent}${parentStep === undefined ? '' : ` (${parentStep})`}`;
  return forked === undefined ? undefined : `fork of ${forked.from} at event ${forked.at}`;
}
