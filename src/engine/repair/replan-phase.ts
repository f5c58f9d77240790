// Phase replan: plans the failed phases of a target again before the target is judged.
import { present } from '../../base/fault.ts';
import { lineageOf, stepsOfLineage } from '../queries/lineage.ts';
import { supersededSteps } from '../queries/superseded-steps.ts';
import type { BranchEnd } from '../record/convergence.ts';
import type { Batch } from '../state/batch.ts';
import { type RunState, type Step, stepOf } from '../state/state.ts';
import { type Obstacle, obstacleTo, obstacleToAny, type Replanner, replannerFor } from './replan-limits.ts';
import { nextRepairId, startRepair, stepsBeforeRepair, supersede } from './replan-tail.ts';

export interface FailedPhase {
  /** The latest planner whose steps failed. */
  readonly replanner: Replanner;
  /** The steps of the phase that failed at the target. */
  readonly failing: readonly string[];
  /** The reason why the phase may not be planned again. */
  readonly obstacle: Obstacle | undefined;
}

/** The phases of a target that failed as a whole or that made it miss its policy. Empty if no new plan could satisfy the policy. */
export function failedPhases(
  state: RunState,
  target: Step,
  feeders: readonly BranchEnd[],
  satisfied: boolean,
  wantsAll: boolean,
): readonly FailedPhase[] {
  const failed = feeders.filter(({ end }) => end === 'failed').map(({ step }) => stepOf(state, step));
  const planned = failed.filter(({ provenance }) => {
    return provenance !== undefined && stepOf(state, provenance.planner).target === target.id;
  });
  if (wantsAll && planned.length < failed.length) return [];
  const phases = phasesOf(state, planned).filter(
    ({ replanner }) => !satisfied || !hasSucceeded(state, replanner.lineage),
  );
  let open = 0;
  return phases.map((phase) => {
    const obstacle = obstacleTo(state, phase.replanner, 'target', open);
    if (obstacle === undefined) open += 1;
    return { ...phase, obstacle };
  });
}

/** The phases that some steps belong to. */
function phasesOf(state: RunState, steps: readonly Step[]): readonly Omit<FailedPhase, 'obstacle'>[] {
  const byLineage = new Map<string, Step[]>();
  for (const step of steps) {
    if (step.provenance === undefined) continue;
    const lineage = lineageOf(stepOf(state, step.provenance.planner));
    byLineage.set(lineage, [...(byLineage.get(lineage) ?? []), step]);
  }
  return [...byLineage.values()].map((failing) => phaseOf(state, failing));
}

/** `also`: a person has agreed to one repair beyond the limit. */
export function phasesToReplan(
  { failed, wantsAll }: { readonly failed: readonly FailedPhase[]; readonly wantsAll: boolean },
  also = false,
): readonly FailedPhase[] {
  const open = failed.filter(({ obstacle }) => obstacle === undefined || (also && obstacle.mayAsk));
  return wantsAll && open.length < failed.length ? [] : open;
}

/** Starts the repairs that can be paid for, and returns their number. */
export function replanPhases(batch: Batch, cause: number, phases: readonly FailedPhase[]): number {
  const begun = phases.filter((phase) => {
    const isPaid = obstacleToAny(batch.state, phase.replanner) === undefined;
    if (isPaid) replanPhase(batch, cause, phase);
    return isPaid;
  });
  return begun.length;
}

/** Returns the id of the repair step. */
export function replanPhase(batch: Batch, cause: number, { replanner, failing }: FailedPhase): string {
  const { lineage, target } = replanner;
  const among = stepsOfLineage(batch.state, lineage);
  const superseded = supersededSteps(batch.state, among, undefined, target.id, 'phase');
  const repair = nextRepairId(batch, lineage);
  startRepair(batch, cause, replanner, 'phase', failing, stepsBeforeRepair(among, superseded, 'phase'));
  supersede(batch, superseded, repair);
  return repair;
}

function phaseOf(state: RunState, failing: readonly Step[]): Omit<FailedPhase, 'obstacle'> {
  const planners = failing.flatMap(({ provenance }) =>
    provenance === undefined ? [] : [stepOf(state, provenance.planner)],
  );
  const [last] = planners.map((planner) => replannerFor(state, planner)).sort((a, b) => b.trial - a.trial);
  const replanner = present(last, 'planner of a failed phase');
  return { replanner, failing: failing.map(({ id }) => id) };
}

/** Whether a step of the phase succeeded; planning steps do not count. */
function hasSucceeded(state: RunState, lineage: string): boolean {
  return stepsOfLineage(state, lineage).some(
    ({ status, spec }) => spec.type !== 'planning' && (status === 'completed' || status === 'resolved'),
  );
}
