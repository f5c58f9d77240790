// Settles an attempt with the outcome a performer brought: checks the result in layers, cheapest first, and ends or retries the step.
import { type Failure, failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import type { Amount } from '../../budget/amount.ts';
import { account } from '../../budget/ledger.ts';
import { questionIn } from '../../planning/question.ts';
import { type Batch, emit, paid, store } from '../batch.ts';
import type { CommandOf } from '../command.ts';
import { timeLeft, timeUpFor } from '../deadline.ts';
import type { EventOf } from '../event.ts';
import { tokensOf } from '../fan-out/synthesis-input.ts';
import { clarify } from '../gate/clarification.ts';
import { settlePlan } from '../phase/settle-plan.ts';
import { askAbout } from '../spend/ask-for-budget.ts';
import { exhaustionText, timeExhaustion } from '../spend/exhaustion.ts';
import { RUN_ACCOUNT, type Step, stepOf } from '../state.ts';
import { checkResult } from './check-result.ts';
import { closeBranches, readChoice } from './choose.ts';
import { recover } from './recover.ts';
import { verify } from './verify.ts';

/** An outcome that comes twice, or after its step has ended, changes nothing. */
export function settle(batch: Batch, command: CommandOf<'settle'>): Issue | undefined {
  const step = stepOf(batch.state, command.step);
  const current = step.status === 'running' && step.attempt === command.attempt && step.delivery === command.delivery;
  if (!current || isHeld(batch, step, command)) return undefined;
  if (step.spec.type === 'planning') settlePlan(batch, step, command);
  else if (command.outcome.ok) accept(batch, step, command, command.outcome.value, billOf(step, command.outcome.bill));
  else failAttempt(batch, step, command.outcome.failure, billOf(step, command.outcome.bill), command.chance);
  return undefined;
}

/** What a capability brought is its result, unless it asks for something first. */
function accept(batch: Batch, step: Step, { input, chance }: CommandOf<'settle'>, value: Json, bill: Amount): void {
  const question = questionIn(value);
  const tokens = step.spec.type === 'synthesis_gate' ? tokensOf(batch, input, value) : undefined;
  if (question === undefined) return complete(batch, step, input, value, bill, chance, tokens);
  clarify(batch, step, question, { capability: step.spec.capability ?? '', input }, bill);
}

/** What the end of the time for phases cut off waits for what people say about it. */
function isHeld(batch: Batch, step: Step, { outcome }: CommandOf<'settle'>): boolean {
  const { state, at } = batch;
  if (outcome.ok || outcome.failure.code !== 'STEP_TIMEOUT' || state.landing.has(step.id)) return false;
  const late = timeUpFor(state, step, at);
  return late !== undefined && askAbout(batch, step, timeExhaustion(state, late, at), billOf(step, outcome.bill));
}

/** What the run's deadline cut off failed for the budget, not for its own slowness. */
function failAttempt(batch: Batch, step: Step, why: Failure, bill: Amount, chance: number): void {
  const { state, at } = batch;
  const run = account(state.ledger, RUN_ACCOUNT);
  if (why.code !== 'STEP_TIMEOUT' || timeLeft(state, run, at, true) > 0) {
    return recover(batch, step, why, { kind: 'failure', bill, chance });
  }
  // The landing set had its share too, and has used it.
  const stop = timeExhaustion(state, run, at, true);
  const late = failure('BUDGET_EXCEEDED', exhaustionText(stop), { retry: 'never' });
  emit(batch, step.since, { type: 'step.failed', step: step.id, failure: late, ...paid(bill), stop });
}

/** A performer that does not say what it used has used what was set aside. */
function billOf(step: Step, bill: Amount | undefined): Amount {
  return bill ?? step.reserved ?? {};
}

/** Contract, then predicate; what fails a layer is recovered as the step says. */
export function complete(
  batch: Batch,
  step: Step,
  input: Json,
  value: Json,
  bill: Amount,
  chance = 0,
  tokens?: EventOf<'step.completed'>['tokens'],
): void {
  const checked = checkResult(batch.state, step, value);
  if (!checked.ok) return recover(batch, step, checked.failure, { kind: 'failure', bill, chance });
  const choice = step.spec.type === 'decision' ? readChoice(step, checked.value) : undefined;
  if (choice?.ok === false) return recover(batch, step, choice.failure, { kind: 'failure', bill, chance });
  const verdict = verify(batch, step, input, checked.value);
  if (verdict.type === 'failed' || verdict.type === 'error') {
    const why = verdict.type === 'error' ? verdict.failure : failure('VERIFICATION_FAILED', verdict.diagnosis);
    emit(batch, step.since, {
      type: 'verification.failed',
      step: step.id,
      attempt: step.attempt,
      diagnosis: why.message,
      value: store(batch, checked.value, checked.text),
    });
    return recover(batch, step, why, { kind: verdict.type === 'error' ? 'failure' : 'verification', bill, chance });
  }
  emit(batch, step.since, {
    type: 'step.completed',
    step: step.id,
    value: store(batch, checked.value, checked.text),
    ...paid(bill),
    ...(checked.coerced.length === 0 ? {} : { coerced: checked.coerced }),
    ...(verdict.type === 'passed' ? { verified: true } : {}),
    ...(tokens === undefined ? {} : { tokens }),
  });
  if (choice !== undefined) closeBranches(batch, step, choice.branches);
}

/** Ends a step that failed before any attempt of it was handed out. */
export function fail(batch: Batch, step: Step, why: Failure): void {
  recover(batch, step, { ...why, retry: 'never' }, { kind: 'failure', bill: {}, chance: 0 });
}
