// Settles an attempt, or one of its calls, with a performer's outcome.
import { type Failure, failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { type Amount, nothing, plus } from '../../budget/amount.ts';
import { account } from '../../budget/ledger.ts';
import { questionIn } from '../../planning/question.ts';
import { askForBudget } from '../account/ask-for-budget.ts';
import { clarify } from '../attempt/clarification.ts';
import { completeStep } from '../attempt/complete-step.ts';
import { isHeldForLock } from '../gates/lock-gate.ts';
import { isWithCritic } from '../plan/ask-critic.ts';
import { settlePlan } from '../plan/settle-plan.ts';
import type { CommandOf, EffectOutcome } from '../record/command.ts';
import { retryOrFail } from '../repair/retry-or-fail.ts';
import { isOutcomeUnknown } from '../state/at-most-once.ts';
import { callsUnderWay } from '../state/attempt-calls.ts';
import { type Batch, chargeOf, emit, paid } from '../state/batch.ts';
import type { CallRecord } from '../state/call-record.ts';
import { timeLeft, timeUpFor } from '../state/deadline.ts';
import { exhaustionText, timeExhaustion } from '../state/exhaustion.ts';
import { RUN_ACCOUNT, type Step, stepOf } from '../state/state.ts';
import { tokensOf } from '../values/gathered-results.ts';
import { settleCall } from './settle-call.ts';
import { isHeldForUnknownOutcome } from './unknown-outcome.ts';

/** A second outcome of an attempt or a call changes nothing, and neither does an outcome for an ended step. */
export function settle(batch: Batch, command: CommandOf<'settle'>): Issue | undefined {
  const step = stepOf(batch.state, command.step);
  const { call, attempt, delivery } = command;
  if (step.status !== 'running' || step.attempt !== attempt || step.delivery !== delivery) return undefined;
  const underWay = callsUnderWay(step);
  const record = call === undefined ? undefined : step.calls[call - 1];
  if (call !== undefined && (record === undefined || !underWay.includes(record))) return undefined;
  const others = underWay.filter((each) => each !== record);
  if (ends(batch, step, command, chargeOfAttempt(record ?? step, others, command.outcome.bill))) {
    if (record !== undefined && others.length > 0) batch.effects.push({ type: 'abort', step: step.id, why: 'ended' });
  } else if (call !== undefined) settleCall(batch, step, command, call);
  return undefined;
}

/** The charge when the attempt ends: other calls under way are charged in full, because their use is unknown. */
function chargeOfAttempt(
  settled: Pick<Step, 'reserved'>,
  others: readonly CallRecord[],
  bill: Amount | undefined,
): Amount {
  return others.reduce((sum, { reserved = nothing }) => plus(sum, reserved), chargeOf(settled, bill));
}

/** Whether the outcome ends the attempt or holds its step. The outcome of one call of several usually does not. */
function ends(batch: Batch, step: Step, command: CommandOf<'settle'>, bill: Amount): boolean {
  const { call, outcome } = command;
  if (isHeld(batch, step, command, bill)) return true;
  const isPlanned = isWithCritic(step);
  if (isPlanned && call === undefined) return true;
  // A timeout ends the whole attempt; only a plan that waits for its critic goes on without the critic.
  const isOver = !isPlanned && !outcome.ok && outcome.error.code === 'STEP_TIMEOUT';
  if (!outcome.ok && isOutcomeUnknown(outcome.error)) {
    if (isHeldForUnknownOutcome(batch, step, outcome.error.message, bill)) return true;
  }
  if (outcome.lock !== undefined && isHeldForLock(batch, step, outcome.lock, bill)) return true;
  if (call !== undefined && !isOver) return false;
  if (step.spec.type === 'planning') settlePlan(batch, step, command);
  else if (outcome.ok) accept(batch, step, command, outcome);
  else failAttempt(batch, step, outcome.error, bill, command.chance);
  return true;
}

/** Takes a capability's value as the result, unless the value is a question. */
function accept(
  batch: Batch,
  step: Step,
  { input, chance }: CommandOf<'settle'>,
  outcome: EffectOutcome & { ok: true },
): void {
  const { value, partial } = outcome;
  const bill = chargeOf(step, outcome.bill);
  const question = questionIn(value);
  const tokens = step.spec.type === 'synthesis_gate' ? tokensOf(batch, input, value) : undefined;
  if (question === undefined) return completeStep(batch, step, input, value, bill, chance, { tokens, partial });
  clarify(batch, step, question, { capability: step.spec.capability ?? '', input }, bill);
}

/** Whether the step is held because its phase ran out of time and a person is asked about it. */
function isHeld(batch: Batch, step: Step, { outcome }: CommandOf<'settle'>, bill: Amount): boolean {
  const { state, at } = batch;
  if (outcome.ok || outcome.error.code !== 'STEP_TIMEOUT' || state.landing.has(step.id)) return false;
  const late = timeUpFor(state, step, at);
  return late !== undefined && askForBudget(batch, step, timeExhaustion(state, late, at), bill);
}

/** Fails the attempt. At the deadline of the run, the failure is an exhausted budget and no timeout of the step. */
function failAttempt(batch: Batch, step: Step, why: Failure, bill: Amount, chance: number): void {
  const { state, at } = batch;
  const run = account(state.ledger, RUN_ACCOUNT);
  if (why.code !== 'STEP_TIMEOUT' || timeLeft(state, run, at, true) > 0) {
    return retryOrFail(batch, step, why, { kind: 'failure', bill, chance });
  }
  // The time reserved for the landing set is over too.
  const stop = timeExhaustion(state, run, at, true);
  const late = failure('BUDGET_EXCEEDED', exhaustionText(stop), { retry: 'never' });
  emit(batch, step.since, { type: 'step.failed', step: step.id, failure: late, ...paid(bill), stop });
}
