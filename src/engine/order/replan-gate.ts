// Follows a person's decision about a failure after its last repair.
import { type Issue, issue } from '../../base/issue.ts';
import type { GateDecision } from '../gates/gate-answers.ts';
import { concludeTarget, judgeBranches } from '../repair/judge-target.ts';
import { obstacleTo, replannerOf } from '../repair/replan-limits.ts';
import { phasesToReplan, replanPhases } from '../repair/replan-phase.ts';
import { startTailRepair } from '../repair/replan-tail.ts';
import { giveUp } from '../repair/retry-or-fail.ts';
import type { Batch } from '../state/batch.ts';
import { type Gate, type RunState, type Step, stepOf } from '../state/state.ts';

/** The reason why the decision cannot be followed. Writes nothing. */
export function refuseReplan({ state }: Batch, gate: Gate, { verdict }: GateDecision): Issue | undefined {
  if (verdict === 'reject') return undefined;
  if (verdict !== 'approve') {
    const message = `gate ${gate.id} asks whether there may be one more repair, and holds no plan to edit`;
    return issue('GATE_VERDICT_INVALID', message, { hint: 'choose from approve, reject' });
  }
  const reason = obstacleAt(state, stepOf(state, gate.step));
  if (reason === undefined) return undefined;
  return issue('REPLAN_UNAVAILABLE', `it cannot be planned again: ${reason}`, {
    hint: 'reject it, or raise the limit',
  });
}

/** Follows the decision. The gate is over; its step is still held. */
export function settleReplan(batch: Batch, { step: id }: Gate, { verdict, by }: GateDecision): void {
  const { state } = batch;
  const step = stepOf(state, id);
  const { failure } = step;
  if (failure === undefined) return settleTarget(batch, step, verdict === 'approve');
  const replanner = verdict === 'approve' ? replannerOf(state, step) : undefined;
  if (replanner !== undefined) return startTailRepair(batch, step, replanner, failure, {});
  const message = `${failure.message}; ${by} wants no further repair`;
  giveUp(batch, step, { ...failure, message }, {}, 'replan');
}

function settleTarget(batch: Batch, target: Step, approved: boolean): void {
  const verdict = judgeBranches(batch.state, target);
  const again = approved ? phasesToReplan(verdict, true) : [];
  if (replanPhases(batch, target.since, again) === 0) concludeTarget(batch, target, target.since, verdict);
}

function obstacleAt(state: RunState, step: Step): string | undefined {
  if (step.failure === undefined) {
    const verdict = judgeBranches(state, step);
    if (phasesToReplan(verdict, true).length > 0) return undefined;
    return (
      verdict.failed.find(({ obstacle }) => obstacle?.mayAsk === false)?.obstacle?.reason ?? 'nothing of it was planned'
    );
  }
  const replanner = replannerOf(state, step);
  if (replanner === undefined) return 'nobody plans for it';
  const obstacle = obstacleTo(state, replanner, replanner.spec.scope);
  return obstacle?.mayAsk === false ? obstacle.reason : undefined;
}
