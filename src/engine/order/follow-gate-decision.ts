// Follows a decision, or an expiry, for each kind of gate.
import { failure } from '../../base/failure.ts';
import { unreachable } from '../../base/fault.ts';
import type { Issue } from '../../base/issue.ts';
import { approveCoveredGates, rejectionFailure } from '../attempt/approval.ts';
import { completeStep, failWithoutRetry } from '../attempt/complete-step.ts';
import { refuseNextCall } from '../attempt/several-calls.ts';
import type { GateDecision } from '../gates/gate-answers.ts';
import { releaseHeld } from '../gates/open-gate.ts';
import { refuseEditedPlan, settlePlanGate } from '../plan/plan-gate.ts';
import { type Batch, emit } from '../state/batch.ts';
import { type Gate, stepOf } from '../state/state.ts';
import { settleUnknownOutcome } from '../step/unknown-outcome.ts';
import { wake } from '../step/wait-for-child-run.ts';
import { refuseExhaustion, settleExhaustion } from './exhaustion-gate.ts';
import { cancel } from './pause-and-cancel.ts';
import { refuseReplan, settleReplan } from './replan-gate.ts';

/** The reason why a valid decision cannot be followed. Writes nothing. */
export function refuseDecision(batch: Batch, gate: Gate, decision: GateDecision): Issue | undefined {
  switch (gate.kind) {
    case 'exhaustion':
      return refuseExhaustion(batch, gate, decision);
    case 'replan':
      return isPlan(batch, gate) ? refuseEditedPlan(batch, gate, decision) : refuseReplan(batch, gate, decision);
    case 'plan_review':
    case 'synthesis':
      return refuseEditedPlan(batch, gate, decision);
    case 'review':
    case 'llm_prompt':
    case 'clarification':
    case 'approval':
    case 'outcome':
    case 'lock':
    case 'child':
      return undefined;
    default:
      return unreachable(gate.kind);
  }
}

/** Lets the held steps go on as the decision says. The gate is over. */
export function followDecision(batch: Batch, gate: Gate, decision: GateDecision): void {
  switch (gate.kind) {
    case 'exhaustion':
      return settleExhaustion(batch, gate, decision);
    case 'replan':
      return isPlan(batch, gate) ? settlePlanGate(batch, gate, decision) : settleReplan(batch, gate, decision);
    case 'plan_review':
    case 'synthesis':
      return settlePlanGate(batch, gate, decision);
    case 'review':
      return decision.verdict === 'reject' ? rejectSteps(batch, gate, decision) : giveResult(batch, gate, decision);
    case 'approval':
      if (decision.verdict === 'reject') return rejectCall(batch, gate, decision);
      releaseHeld(batch, gate);
      return approveCoveredGates(batch, gate, decision);
    case 'llm_prompt':
      if (decision.verdict === 'reject') return rejectSteps(batch, gate, decision);
      releaseHeld(batch, gate);
      return approveCoveredGates(batch, gate, decision);
    case 'clarification':
      return decision.verdict === 'reject' ? rejectSteps(batch, gate, decision) : releaseHeld(batch, gate);
    case 'outcome':
      return settleUnknownOutcome(batch, gate, decision);
    case 'lock':
      if (decision.verdict === 'reject') return cancel(batch, decision, batch.state.version);
      return releaseHeld(batch, gate);
    case 'child':
      return;
    default:
      return unreachable(gate.kind);
  }
}

/** Whether a `replan` gate holds the plan of a repair. Otherwise it asks for one more repair. */
function isPlan({ state }: Batch, { step }: Gate): boolean {
  return stepOf(state, step).repairs !== undefined;
}

export function expireGate(batch: Batch, gate: Gate): void {
  const { onExpiry: outcome } = gate;
  // The child run decides about its own gates.
  if (gate.kind === 'child') return wake(batch, stepOf(batch.state, gate.step));
  emit(batch, stepOf(batch.state, gate.step).since, { type: 'gate.expired', gate: gate.id, outcome });
  switch (outcome) {
    case 'approve':
    case 'reject':
      return followDecision(batch, gate, { verdict: outcome, by: 'expiry', why: 'nobody answered in time' });
    case 'fail':
      for (const id of [...gate.holds]) {
        const why = failure('GATE_EXPIRED', `nobody answered gate ${gate.id} in time`, { retry: 'never' });
        failWithoutRetry(batch, stepOf(batch.state, id), why);
      }
      return;
    case 'converge':
      for (const step of [...gate.holds]) {
        emit(batch, stepOf(batch.state, step).since, { type: 'step.skipped', step, reason: 'converged' });
      }
      return;
    default:
      return unreachable(outcome);
  }
}

function giveResult(batch: Batch, gate: Gate, { value = { approved: true } }: GateDecision): void {
  completeStep(batch, stepOf(batch.state, gate.step), null, value, {});
}

/** Rejects a call: an agent goes on without it, a step that is only the call fails. */
function rejectCall(batch: Batch, gate: Gate, decision: GateDecision): void {
  const step = stepOf(batch.state, gate.step);
  if (step.spec.agent === undefined || step.spec.capability !== undefined) return rejectSteps(batch, gate, decision);
  refuseNextCall(batch, step, rejectionFailure(gate.id, decision));
  releaseHeld(batch, gate);
}

function rejectSteps(batch: Batch, gate: Gate, decision: GateDecision): void {
  for (const id of [...gate.holds])
    failWithoutRetry(batch, stepOf(batch.state, id), rejectionFailure(gate.id, decision));
}
