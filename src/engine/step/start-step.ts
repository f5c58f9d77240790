// Starts a ready step: evaluates its condition, pays for it, and hands out its work.

import { present, unreachable } from '../../base/fault.ts';
import type { Issue } from '../../base/issue.ts';
import { good } from '../../base/result.ts';
import type { Amount } from '../../budget/amount.ts';
import { deadlineFrom } from '../../lisp/deadline.ts';
import { defaultLimits } from '../../lisp/limits.ts';
import { priceOfPlanner } from '../../planning/estimate.ts';
import { afford } from '../account/afford.ts';
import { skipForBudget } from '../account/skip-for-budget.ts';
import { askForApproval, wantsApproval } from '../attempt/approval.ts';
import { completeStep, failWithoutRetry } from '../attempt/complete-step.ts';
import { startFanOut } from '../attempt/fan-out.ts';
import { handOut, identityOf } from '../attempt/hand-out.ts';
import { askForReview } from '../attempt/human-review.ts';
import { startCalls, takesSeveralCalls } from '../attempt/several-calls.ts';
import { gatheredRecord, synthesize } from '../attempt/synthesize.ts';
import { isHeldAtStart } from '../gates/lock-gate.ts';
import { plannerFor } from '../packet/frame-of.ts';
import { askPlanner } from '../plan/ask-planner.ts';
import { graftNothing } from '../plan/graft-plan.ts';
import { calleeOf } from '../queries/callee.ts';
import { adoptFinishedWork } from '../repair/adopt-finished-work.ts';
import { type Batch, emit } from '../state/batch.ts';
import { childFor } from '../state/child-run.ts';
import { reservationFor } from '../state/reservation.ts';
import { hasBegun, type Step, stepOf } from '../state/state.ts';
import { attachmentsOf } from '../values/attachments.ts';
import { callInput } from '../values/call-input.ts';
import { evaluate, resolveValue } from '../values/resolve-value.ts';

const FREE: Amount = Object.freeze({});

export function startStep(batch: Batch, id: string): Issue | undefined {
  const { state } = batch;
  const step = stepOf(state, id);
  const due = state.ready.has(id) || (state.retrying.has(id) && (step.retryAt ?? 0) <= batch.at);
  if (!due || state.status !== 'running') return undefined;
  if (isHeldAtStart(batch, step)) return undefined;
  if (isWanted(batch, step)) begin(batch, step);
  return undefined;
}

/** Begins a step as its type says. */
function begin(batch: Batch, step: Step): void {
  const { type, capability = '', agent } = step.spec;
  const calls = capability !== '' || agent !== undefined;
  switch (type) {
    case 'planning':
      return startPlanning(batch, step);
    case 'compute':
      return compute(batch, step);
    case 'task':
    case 'deferred':
      return calls ? call(batch, step, capability) : converge(batch, step);
    case 'decision':
      return calls ? call(batch, step, capability) : choose(batch, step);
    case 'fan_out':
      return startFanOut(batch, step);
    case 'synthesis_gate':
      return calls ? call(batch, step, capability) : synthesize(batch, step);
    case 'human_review':
      return review(batch, step);
    default:
      return unreachable(type);
  }
}

/** Evaluates `when` once. Steps that have begun, and steps that a repair replaces, passed it before. */
function isWanted(batch: Batch, step: Step): boolean {
  const { when } = step.spec;
  const isKnown = hasBegun(step) || step.people !== undefined || step.repairs !== undefined;
  if (when === undefined || isKnown) return true;
  const wanted = evaluate(batch, step, when);
  if (!wanted.ok) {
    failWithoutRetry(batch, step, wanted.error);
    return false;
  }
  if (wanted.value !== null && wanted.value !== false) return true;
  emit(batch, step.since, { type: 'step.skipped', step: step.id, reason: 'when_false' });
  return false;
}

function startPlanning(batch: Batch, step: Step): void {
  const planner = plannerFor(batch.state, step);
  const afforded = afford(batch, step, priceOfPlanner(planner, batch.state.template.capabilities));
  if (afforded === 'yes') askPlanner(batch, step);
  // A repair that cannot be paid for is skipped instead.
  else if (afforded === 'no' && step.converges && step.repairs === undefined) graftNothing(batch, step);
  else if (afforded === 'no') skipForBudget(batch, step);
}

/** A clock may end this evaluation, because only its outcome is recorded and no replay evaluates it again. */
function compute(batch: Batch, step: Step): void {
  const { stopwatch, state } = batch;
  const { deadline = defaultLimits.deadline } = state.template.limits.lisp;
  const limits = { deadline: Math.min(deadline, step.spec.timeout) };
  const options = stopwatch === undefined ? {} : { limits, ...deadlineFrom(stopwatch, limits) };
  const value = evaluate(batch, step, present(step.spec.expr, `expression of ${step.id}`), {}, options);
  if (value.ok) completeStep(batch, step, null, value.value, FREE);
  else failWithoutRetry(batch, step, value.error);
}

function choose(batch: Batch, step: Step): void {
  const value = evaluate(batch, step, present(step.spec.decision?.choose, `expression of ${step.id}`));
  if (value.ok) completeStep(batch, step, null, value.value, FREE);
  else failWithoutRetry(batch, step, value.error);
}

/** Completes a convergence step without a capability: its value is its `input`, or the record of gathered results. */
function converge(batch: Batch, step: Step): void {
  const { input } = step.spec;
  const resolved = input === undefined ? good(gatheredRecord(batch, step)) : resolveValue(batch, step, input);
  if (!resolved.ok) return failWithoutRetry(batch, step, resolved.error);
  completeStep(batch, step, resolved.value, resolved.value, FREE);
}

/** A review costs nothing, but an exhausted account asks nobody. */
function review(batch: Batch, step: Step): void {
  if (isPaid(batch, step, FREE)) askForReview(batch, step);
}

function call(batch: Batch, step: Step, capability: string): void {
  if (takesSeveralCalls(step)) return startCalls(batch, step);
  const { state } = batch;
  const input = callInput(batch, step);
  if (!input.ok) return failWithoutRetry(batch, step, input.error);
  const { value } = input;
  if (adoptFinishedWork(batch, step, calleeOf(state, step.spec) ?? capability, value)) return;
  const attached = attachmentsOf(batch, step);
  if (!attached.ok) return failWithoutRetry(batch, step, attached.error);
  const reserved = reservationFor(state, step, capability);
  if (!isPaid(batch, step, reserved)) return;
  if (wantsApproval(batch, step, capability)) return askForApproval(batch, step, capability, value);
  emit(batch, step.since, {
    type: 'attempt.started',
    step: step.id,
    attempt: step.attempt + 1,
    reserved,
    ...identityOf(state, step, capability, value),
    ...childFor(state, step, capability, step.attempt + 1),
  });
  handOut(batch, step, capability, value);
}

/** Whether the step can be paid for. Otherwise it is held for a person's answer, or skipped. */
function isPaid(batch: Batch, step: Step, amount: Amount): boolean {
  const afforded = afford(batch, step, amount);
  if (afforded === 'no') skipForBudget(batch, step);
  return afforded === 'yes';
}
