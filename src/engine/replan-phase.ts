// Phase replan: what came together at a target does not do, and the phases that failed are planned again before it is judged.
import { present } from '../base/fault.ts';
import type { Batch } from './batch.ts';
import type { FeederEnd } from './convergence.ts';
import { lineageOf, stepsOfLineage } from './lineage.ts';
import { afterOf, idOfNext, startRepair, supersede } from './replan.ts';
import { type Obstacle, obstacleTo, type Replanner, replannerFor } from './replan-limits.ts';
import { type RunState, type Step, stepOf } from './state.ts';
import { supersededBy } from './supersede.ts';

export interface FailedPhase {
  /** Whoever planned last of those whose steps failed. */
  readonly replanner: Replanner;
  /** What of it failed at the target. */
  readonly failing: readonly string[];
  /** What stands in the way of planning it again. */
  readonly obstacle: Obstacle | undefined;
}

/** What was found of a target when it was judged. */
interface Judged {
  readonly feeders: readonly FeederEnd[];
  readonly satisfied: boolean;
  /** One failure is too many. */
  readonly wantsAll: boolean;
}

/** Those that failed as a whole, or that missed the policy; none when no plan could help. */
export function failedPhases(state: RunState, { feeders, satisfied, wantsAll }: Judged): readonly FailedPhase[] {
  const failed = feeders.filter(({ end }) => end === 'failed');
  const byLineage = new Map<string, Step[]>();
  for (const { step: id } of failed) {
    const step = stepOf(state, id);
    if (step.provenance === undefined) {
      if (wantsAll && !satisfied) return [];
      continue;
    }
    const lineage = lineageOf(stepOf(state, step.provenance.planner));
    byLineage.set(lineage, [...(byLineage.get(lineage) ?? []), step]);
  }
  const lineages = [...byLineage].filter(([lineage]) => !satisfied || !hasSucceeded(state, lineage));
  return lineages.map(([, failing]) => failedPhase(state, failing));
}

/** Whether the target has something to wait for now. */
export function replanPhases(batch: Batch, cause: number, phases: readonly FailedPhase[], wantsAll: boolean): boolean {
  const open = phases.filter(({ obstacle }) => obstacle === undefined);
  if (open.length === 0 || (wantsAll && open.length < phases.length)) return false;
  for (const phase of open) planAgain(batch, cause, phase);
  return true;
}

export function planAgain(batch: Batch, cause: number, { replanner, failing }: FailedPhase): void {
  const { lineage, target } = replanner;
  const among = stepsOfLineage(batch.state, lineage);
  const superseded = supersededBy(batch.state, among, undefined, target.id, 'phase');
  const repair = idOfNext(batch, lineage);
  startRepair(batch, cause, replanner, 'phase', failing, afterOf(among, superseded, 'phase'));
  supersede(batch, superseded, repair);
}

function failedPhase(state: RunState, failing: readonly Step[]): FailedPhase {
  const planners = failing.flatMap(({ provenance }) =>
    provenance === undefined ? [] : [stepOf(state, provenance.planner)],
  );
  const [last] = planners.map((planner) => replannerFor(state, planner)).sort((a, b) => b.trial - a.trial);
  const replanner = present(last, 'planner of a failed phase');
  return { replanner, failing: failing.map(({ id }) => id), obstacle: obstacleTo(state, replanner, 'target') };
}

/** Whether anything came of what was planned; that a plan was made is nothing yet. */
function hasSucceeded(state: RunState, lineage: string): boolean {
  return stepsOfLineage(state, lineage).some(
    ({ status, spec }) => spec.type !== 'planning' && (status === 'completed' || status === 'resolved'),
  );
}
