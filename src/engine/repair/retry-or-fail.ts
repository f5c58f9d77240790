// Decides what follows a failed attempt: a retry, a repair, the failure of the step, or a tolerated gap.

import type { Failure } from '../../base/failure.ts';
import { defined } from '../../base/json.ts';
import type { Amount } from '../../budget/amount.ts';
import type { Recovery } from '../../template/step-spec.ts';
import { planningOf } from '../packet/frame-of.ts';
import { toleratesNoPlan } from '../packet/planning-settings.ts';
import { hasTryLeft } from '../queries/tries.ts';
import { delayBefore } from '../record/backoff.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import { isAtMostOnce } from '../state/at-most-once.ts';
import { type Batch, emit, paid } from '../state/batch.ts';
import { exhaustedFor, isExhaustion } from '../state/exhaustion.ts';
import { attemptsUsed, type RunState, type Step, stepOf } from '../state/state.ts';
import { replanTail } from './replan-tail.ts';

export interface FailedAttempt {
  /** `verification`: the attempt brought a result, but the result did not pass its predicate. */
  readonly kind: 'failure' | 'verification';
  readonly bill: Amount;
  /** From 0 to 1, for the jitter of the delay. */
  readonly chance: number;
}

export function retryOrFail(batch: Batch, step: Step, why: Failure, { kind, bill, chance }: FailedAttempt): void {
  const { spec } = step;
  const recovery: Recovery = kind === 'verification' ? spec.onVerificationFailure : spec.onFailure;
  if (mayRetry(batch, step, why, recovery)) {
    const delay = delayBefore(step.attempt + 1, spec.retry, chance);
    emit(batch, step.since, {
      type: 'attempt.failed',
      step: step.id,
      attempt: step.attempt,
      failure: why,
      ...paid(bill),
      retryAt: batch.at + (why.retryAfter ?? delay),
    });
    return;
  }
  const last = asksForReplan(step, why, recovery) ? replanTail(batch, step, why, bill) : why;
  if (last !== undefined) giveUp(batch, step, last, bill, recovery);
}

/** Ends the step without another try: it fails, or is skipped if its failure is tolerated. `stop` is the limit that was met. */
export function giveUp(
  batch: Batch,
  step: Step,
  why: Failure,
  bill: Amount,
  recovery: Recovery,
  stop?: Exhaustion,
): void {
  const end = { step: step.id, failure: why, ...paid(bill) };
  if (isTolerated(batch.state, step, why, recovery)) {
    emit(batch, step.since, { type: 'step.skipped', reason: 'tolerated', ...end });
  } else emit(batch, step.since, { type: 'step.failed', ...end, ...defined({ stop }) });
}

/** Whether the run goes on without the step. A synthesis gate is a checkpoint: its failure is never tolerated here. */
function isTolerated(state: RunState, step: Step, { code }: Failure, recovery: Recovery): boolean {
  const { type, critical } = step.spec;
  if (type === 'synthesis_gate') return false;
  if (type === 'planning') return !isExhaustion(code) && toleratesNoPlan(state, step);
  return recovery === 'skip' || !critical;
}

/** A predicate that cannot be evaluated always goes back to the planner that wrote it. */
function asksForReplan({ provenance }: Step, { code }: Failure, recovery: Recovery): boolean {
  return recovery === 'replan' || (code === 'VERIFICATION_ERROR' && provenance !== undefined);
}

/** The recovery `replan` retries first. A step without attempts is only evaluated, and would fail the same way again. */
function mayRetry({ state }: Batch, step: Step, why: Failure, recovery: Recovery): boolean {
  // A call that may happen only once is retried only if it is known not to have happened.
  const { capability } = step.spec;
  if (capability !== undefined && why.fate !== 'refused' && isAtMostOnce(state, step, capability)) return false;
  const asked = recovery === 'retry' || recovery === 'replan';
  const isTried = step.attempt > 0 && attemptsUsed(step) < step.spec.retry.maxAttempts;
  if (!asked || why.retry === 'never' || !isTried) return false;
  return hasTryLeft(state, step) && exhaustedFor(state, step) === undefined;
}

export interface PlanFailure {
  readonly why: Failure;
  readonly bill: Amount;
  /** The limit that ended the planning step. */
  readonly stop?: Exhaustion;
}

/** Retries a planning step whose planner failed to reply. Every attempt counts, also one whose plan was refused. */
export function retryOrFailPlanning(batch: Batch, step: Step, { why, bill }: PlanFailure, chance: number): void {
  const { attempt } = step;
  if (why.retry === 'never' || !hasPlanningAttemptLeft(batch.state, step))
    return failPlanning(batch, step, { why, bill });
  const retryAt = batch.at + (why.retryAfter ?? delayBefore(attempt + 1, step.spec.retry, chance));
  emit(batch, step.since, { type: 'attempt.failed', step: step.id, attempt, failure: why, ...paid(bill), retryAt });
}

/** Whether the planner has an attempt left. */
export function hasPlanningAttemptLeft(state: RunState, step: Step): boolean {
  return attemptsUsed(step) < planningOf(step).maxAttempts && hasTryLeft(state, step);
}

/** Fails a planning step. The failure of a repair names the failure that it should have repaired. */
export function failPlanning(batch: Batch, step: Step, { why, bill, stop }: PlanFailure): void {
  const asks = step.spec.onFailure === 'replan' && stop === undefined;
  const last = asks ? replanTail(batch, step, why, bill) : why;
  if (last === undefined) return;
  const [mended] = step.repairs?.failing ?? [];
  const cause = mended === undefined ? undefined : stepOf(batch.state, mended);
  const told = cause?.failure === undefined ? last : behind(last, cause.id, cause.failure);
  giveUp(batch, step, told, bill, step.spec.onFailure, stop);
}

function behind(why: Failure, step: string, cause: Failure): Failure {
  return { ...why, message: `${why.message}; it was to mend ${step}: ${cause.message}`, cause };
}
