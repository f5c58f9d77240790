// Checks the result of a step, the cheapest check first, and completes the step or lets it retry or fail.
import { type Failure, failure } from '../../base/failure.ts';
import { defined, type Json } from '../../base/json.ts';
import type { Amount } from '../../budget/amount.ts';
import type { EventOf } from '../record/event.schema.ts';
import { type FailedAttempt, retryOrFail } from '../repair/retry-or-fail.ts';
import { type Batch, emit, paid, store } from '../state/batch.ts';
import type { Step } from '../state/state.ts';
import { verify } from '../values/check-predicate.ts';
import { checkResult } from '../values/check-result.ts';
import { closeBranches, readChoice } from '../values/decision-choice.ts';

/** Facts that are recorded with a result. */
interface CompletionFacts {
  readonly tokens?: EventOf<'step.completed'>['tokens'] | undefined;
  readonly partial?: true | undefined;
}

/** Checks the contract, then the predicate. A failed check is handled as `on_verification_failure` says. */
export function completeStep(
  batch: Batch,
  step: Step,
  input: Json,
  value: Json,
  bill: Amount,
  chance = 0,
  { tokens, partial }: CompletionFacts = {},
): void {
  const checked = checkResult(batch.state, step, value);
  if (!checked.ok) {
    const how: FailedAttempt = { kind: 'failure', bill, chance };
    const { failure: why, rejected } = checked.error;
    if (rejected === undefined) return retryOrFail(batch, step, why, how);
    return failVerification(batch, step, why, { value: rejected, ...how });
  }
  const choice = step.spec.type === 'decision' ? readChoice(step, checked.value.value) : undefined;
  if (choice?.ok === false) return retryOrFail(batch, step, choice.error, { kind: 'failure', bill, chance });
  const { value: result, text, coerced } = checked.value;
  const verdict = verify(batch, step, input, result);
  if (verdict.type === 'failed' || verdict.type === 'error') {
    const why = verdict.type === 'error' ? verdict.failure : failure('VERIFICATION_FAILED', verdict.diagnosis);
    const kind = verdict.type === 'error' ? 'failure' : 'verification';
    return failVerification(batch, step, why, { value: result, kind, bill, chance });
  }
  emit(batch, step.since, {
    type: 'step.completed',
    step: step.id,
    value: store(batch, result, text),
    ...paid(bill),
    ...(coerced.length === 0 ? {} : { coerced }),
    ...(verdict.type === 'passed' ? { verified: true } : {}),
    ...defined({ tokens, partial }),
  });
  if (choice !== undefined) closeBranches(batch, step, choice.value);
}

interface RejectedResult extends FailedAttempt {
  readonly value: Json;
}

/** Records a rejected result, so that the next attempt can see it. */
export function failVerification(batch: Batch, step: Step, why: Failure, { value, ...how }: RejectedResult): void {
  emit(batch, step.since, {
    type: 'verification.failed',
    step: step.id,
    attempt: step.attempt,
    diagnosis: why.message,
    value: store(batch, value),
  });
  retryOrFail(batch, step, why, how);
}

/** Ends a step whose failure would come again with every attempt. */
export function failWithoutRetry(batch: Batch, step: Step, why: Failure): void {
  retryOrFail(batch, step, { ...why, retry: 'never' }, { kind: 'failure', bill: {}, chance: 0 });
}
