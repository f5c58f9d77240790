// Plans phases again with the rest of an account that cannot pay for them as planned.
import { type Issue, issue } from '../../base/issue.ts';
import { skipForBudget } from '../account/skip-for-budget.ts';
import { releaseHeld } from '../gates/open-gate.ts';
import { lineageOf, plannersAbove, stepsOfLineage } from '../queries/lineage.ts';
import { supersededSteps } from '../queries/superseded-steps.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import type { Batch } from '../state/batch.ts';
import { isPaidBy } from '../state/exhaustion.ts';
import { type Gate, isTerminal, type RunState, type Step, stepOf } from '../state/state.ts';
import { obstacleToAny, type Replanner, replannerFor } from './replan-limits.ts';
import { replanPhase } from './replan-phase.ts';

/** Issues: REPLAN_UNAVAILABLE. */
export function refuseReplanSmaller(state: RunState, gate: Gate, met: Exhaustion): Issue | undefined {
  const reason = obstacleToAll(state, gate, met);
  if (reason === undefined) return undefined;
  const hint = 'raise the limit, or converge with what there is';
  return issue('REPLAN_UNAVAILABLE', `nothing can be planned again: ${reason}`, { hint });
}

function obstacleToAll(state: RunState, gate: Gate, { account, resource }: Exhaustion): string | undefined {
  if (resource === 'time') return 'no time is left for it';
  if (heldBy(state, gate).some(hasProposed)) return undefined;
  const obstacles = phasesHeld(state, gate, account).map(({ replanner }) => obstacleToAny(state, replanner));
  if (obstacles.includes(undefined)) return undefined;
  return obstacles[0]?.reason ?? 'what is held was not planned';
}

/** Supersedes the steps that have not begun. The repair also plans for the steps that were cut off. */
export function replanSmaller(batch: Batch, gate: Gate, met: Exhaustion): void {
  const { state } = batch;
  const phases = phasesHeld(state, gate, met.account);
  releaseHeld(batch, gate);
  for (const { replanner, held } of phases) {
    if (obstacleToAny(state, replanner) !== undefined) continue;
    const broken = staying(state, replanner, held);
    const failing = [...new Set(broken.map(({ id, item }) => item?.of ?? id))];
    replanPhase(batch, state.version, { replanner, failing, obstacle: undefined });
    for (const step of broken) skipForBudget(batch, step, { cause: state.version, met });
  }
}

interface HeldPhase {
  readonly replanner: Replanner;
  readonly held: readonly Step[];
}

/** The outermost held phases that the account pays for. */
function phasesHeld(state: RunState, gate: Gate, account: string): readonly HeldPhase[] {
  const phases = new Map<string, { replanner: Replanner; held: Step[] }>();
  for (const step of heldBy(state, gate)) {
    const planner = [...plannersAbove(state, step)].findLast((each) => isPaidBy(state, each, account));
    if (planner === undefined) continue;
    const lineage = lineageOf(planner);
    const phase = phases.get(lineage) ?? { replanner: replannerFor(state, planner), held: [] };
    phase.held.push(step);
    phases.set(lineage, phase);
  }
  return [...phases.values()];
}

/** Held steps that the repair does not supersede: aborted attempts, items of fan-outs, targets of plans that stay. */
function staying(state: RunState, { lineage, target }: Replanner, held: readonly Step[]): readonly Step[] {
  const { steps } = supersededSteps(state, stepsOfLineage(state, lineage), undefined, target.id, 'phase');
  return held.filter(({ id, spec }) => spec.type !== 'planning' && !steps.includes(id));
}

function heldBy(state: RunState, { holds }: Gate): readonly Step[] {
  return [...holds].map((id) => stepOf(state, id)).filter((step) => !isTerminal(step));
}

/** Whether the step is a planner whose plan did not fit: it plans again as soon as it is released. */
function hasProposed({ spec, attempt }: Step): boolean {
  return spec.type === 'planning' && attempt > 0;
}
