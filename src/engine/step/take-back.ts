// Takes back a call that its performer never began, because the driver stopped first: nothing was used, and it is made later.
import { failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { bad } from '../../base/result.ts';
import { endCall } from '../attempt/make-call.ts';
import { CALL_NOT_MADE } from '../record/call.ts';
import type { CommandOf } from '../record/command.ts';
import { callsUnderWay } from '../state/attempt-calls.ts';
import { type Batch, emit } from '../state/batch.ts';
import { stepOf } from '../state/state.ts';

export function takeBack(batch: Batch, command: CommandOf<'take-back'>): Issue | undefined {
  const { state, at } = batch;
  const { attempt, delivery, call } = command;
  const step = stepOf(state, command.step);
  if (step.status !== 'running' || step.attempt !== attempt || step.delivery !== delivery) return undefined;
  const why = failure(CALL_NOT_MADE, 'the run was stopped before this call began; it is made when the run goes on');
  if (call === undefined) {
    emit(batch, step.since, { type: 'attempt.failed', step: step.id, attempt, failure: why, retryAt: at });
  } else {
    const record = step.calls[call - 1];
    if (record !== undefined && callsUnderWay(step).includes(record)) endCall(batch, step, call, bad(why));
  }
  return undefined;
}
