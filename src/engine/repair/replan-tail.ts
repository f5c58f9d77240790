// Tail replan: the planner of a failed step plans the step and its dependents again.

import type { Failure } from '../../base/failure.ts';
import { defined } from '../../base/json.ts';
import type { Amount } from '../../budget/amount.ts';
import type { ReplanSpec } from '../../template/step-spec.ts';
import { openRepair, stepsOfLineage } from '../queries/lineage.ts';
import { authoredStepsBefore, type SupersededSteps, supersededSteps } from '../queries/superseded-steps.ts';
import { type Batch, emit, paid } from '../state/batch.ts';
import { hasBegun, type Step } from '../state/state.ts';
import { askForStep } from './ask-for-repair.ts';
import { obstacleTo, type Replanner, replannerOf, withObstacle } from './replan-limits.ts';

/** Returns the failure that ends the step; undefined when a repair or a question to a person follows. */
export function replanTail(batch: Batch, step: Step, why: Failure, bill: Amount): Failure | undefined {
  const { state } = batch;
  // A fan-out decides for its items, and a repair is not repaired.
  const replanner = step.item !== undefined || step.repairs !== undefined ? undefined : replannerOf(state, step);
  if (replanner === undefined) return why;
  const obstacle = obstacleTo(state, replanner, replanner.spec.scope);
  if (obstacle === undefined) startTailRepair(batch, step, replanner, why, bill);
  else if (obstacle.mayAsk) askForStep(batch, step, why, obstacle, bill);
  else return withObstacle(why, obstacle);
  return undefined;
}

/** Adds the step to a repair that has not begun, or starts a repair. The steps behind it are superseded. */
export function startTailRepair(batch: Batch, step: Step, replanner: Replanner, why: Failure, bill: Amount): void {
  const { state } = batch;
  const { planner, lineage, target, spec } = replanner;
  const among = planner === undefined ? authoredStepsBefore(state, target.id) : stepsOfLineage(state, lineage);
  const superseded = supersededSteps(state, among, step, target.id, spec.scope);
  const open = openRepair(state, lineage);
  const repair = open?.target === target.id ? open.id : nextRepairId(batch, lineage);
  if (repair !== open?.id)
    startRepair(batch, step.since, replanner, spec.scope, [step.id], stepsBeforeRepair(among, superseded, spec.scope));
  supersede(batch, superseded, repair);
  emit(batch, state.version, { type: 'step.failed', step: step.id, failure: why, ...paid(bill), repair });
}

export function startRepair(
  batch: Batch,
  cause: number,
  { planner, lineage, target, trial, spec: { cooldown } }: Replanner,
  scope: 'tail' | 'phase',
  failing: readonly string[],
  after: readonly string[],
): void {
  const last = batch.state.lineages.get(lineage)?.lastAt;
  emit(batch, cause, {
    type: 'replan.started',
    step: nextRepairId(batch, lineage),
    ...defined({ planner: planner === undefined ? undefined : planner.id }),
    target: target.id,
    scope,
    failing,
    after,
    trial,
    readyAt: last === undefined ? batch.at : Math.max(batch.at, last + cooldown),
  });
}

/** For example `plan_recon~2`. The first plan counts as number 1. */
export function nextRepairId({ state }: Batch, lineage: string): string {
  return `${lineage}~${(state.lineages.get(lineage)?.repairs.length ?? 0) + 2}`;
}

/** The steps that a repair waits for: those that have begun, so that it sees their results, and in a phase replan those that stay. */
export function stepsBeforeRepair(
  among: readonly Step[],
  { kept }: SupersededSteps,
  scope: ReplanSpec['scope'],
): readonly string[] {
  const waitsFor = (step: Step): boolean =>
    hasBegun(step) ? step.status !== 'superseded' : scope === 'phase' && kept.includes(step.id);
  return among.filter(waitsFor).map(({ id }) => id);
}

export function supersede(batch: Batch, { steps }: SupersededSteps, by: string): void {
  if (steps.length > 0) emit(batch, batch.state.version, { type: 'steps.superseded', steps, by });
}
