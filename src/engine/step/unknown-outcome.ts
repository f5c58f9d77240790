// Asks a person about a call that may be made at most once and whose outcome is unknown.

import { digestOf } from '../../base/digest.ts';
import { type Failure, failure } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import { bad, good } from '../../base/result.ts';
import type { Amount } from '../../budget/amount.ts';
import { serverOf } from '../attempt/approval.ts';
import { completeStep } from '../attempt/complete-step.ts';
import { endCall } from '../attempt/make-call.ts';
import { takesSeveralCalls } from '../attempt/several-calls.ts';
import type { GateDecision } from '../gates/gate-answers.ts';
import { openGate, releaseHeld } from '../gates/open-gate.ts';
import type { CallFacts } from '../record/gate-events.schema.ts';
import { giveUp } from '../repair/retry-or-fail.ts';
import { isAtMostOnce } from '../state/at-most-once.ts';
import { type Batch, emit } from '../state/batch.ts';
import { type Gate, type Step, stepOf } from '../state/state.ts';
import { callInput } from '../values/call-input.ts';

interface CallUnderWay {
  readonly capability: string;
  readonly input: Json;
}

/**
 * Holds a step whose lost call may be made at most once. Returns false if the call may be repeated. The step ends instead
 * if the template says `on_unknown_outcome: fail`, or if people were asked too often.
 */
export function isHeldForUnknownOutcome(batch: Batch, step: Step, why: string, bill: Amount): boolean {
  const { state } = batch;
  const lost = lostCall(batch, step);
  if (lost === undefined) return false;
  const { capability, input } = lost;
  const { mode = 'ask', expiresIn } = state.template.unknownOutcome ?? {};
  if (mode === 'fail' || (step.people?.lost ?? 0) >= step.spec.maxDeliveries) {
    giveUp(batch, step, unknownOutcome(capability, why), bill, 'stop');
    return true;
  }
  const call: CallFacts = { capability, input: digestOf(input) };
  openGate(batch, step, step.since, {
    kind: 'outcome',
    prompt: `Nobody knows whether ${capability} was carried out: ${why}. Look there first. Then answer with its result if it was, approve to call it again if it was not, or reject to go on without it.`,
    decision: state.template.capabilities[capability]?.output ?? {},
    context: { capability, ...serverOf(state, capability), input },
    call,
    bill,
    expiresIn,
    onExpiry: 'fail',
  });
  return true;
}

/** The call under way, if it may be made at most once. */
function lostCall(batch: Batch, step: Step): CallUnderWay | undefined {
  const { state, values } = batch;
  const { capability } = step.spec;
  const last = step.calls.at(-1);
  if (last !== undefined && last.outcome === undefined) {
    if (last.kind !== 'capability' || !isAtMostOnce(state, step, last.name)) return undefined;
    return { capability: last.name, input: last.request === undefined ? null : (values.get(last.request) ?? null) };
  }
  if (capability === undefined || takesSeveralCalls(step) || step.calls.length > 0) return undefined;
  if (step.attempt === 0 || !isAtMostOnce(state, step, capability)) return undefined;
  const input = callInput(batch, step);
  return { capability, input: input.ok ? input.value : null };
}

function unknownOutcome(capability: string, why: string): Failure {
  const message = `nobody knows whether ${capability} was carried out: ${why}`;
  return failure('OUTCOME_UNKNOWN', message, { retry: 'never', fate: 'unknown' });
}

/** An answer is the call's result; an approval repeats the call; a rejection goes on without it. */
export function settleUnknownOutcome(batch: Batch, gate: Gate, decision: GateDecision): void {
  const step = stepOf(batch.state, gate.step);
  const capability = gate.call?.capability ?? '';
  const isOneOfMany = step.calls.at(-1)?.outcome === undefined && step.calls.length > 0;
  if (decision.verdict === 'approve') return releaseHeld(batch, gate);
  const { by, why = 'it was left out', value = null } = decision;
  const left = unknownOutcome(capability, `${by} decided at gate ${gate.id} to go on without it (${why})`);
  if (isOneOfMany) {
    endCall(batch, step, step.calls.length, decision.verdict === 'answer' ? good(value) : bad(left));
    return releaseHeld(batch, gate);
  }
  if (decision.verdict === 'answer') {
    const input = callInput(batch, step);
    return completeStep(batch, step, input.ok ? input.value : null, value, {});
  }
  emit(batch, step.since, { type: 'step.skipped', step: step.id, reason: 'tolerated', failure: left });
}
