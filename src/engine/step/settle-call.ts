// Settles one call of an attempt: records and charges its outcome, and goes on with the work.
import type { Issue } from '../../base/issue.ts';
import { bad } from '../../base/result.ts';
import { type CallStart, endCall, makeCall, nextCallNumber } from '../attempt/make-call.ts';
import { continueCalls } from '../attempt/several-calls.ts';
import { continuePlanner, resumePlanner } from '../plan/ask-planner.ts';
import { graftNothing } from '../plan/graft-plan.ts';
import { settlePlanAgain } from '../plan/settle-plan.ts';
import { withinTries } from '../queries/tries.ts';
import { isToCriticise, isToSumUp, tooManyCalls } from '../record/call.ts';
import type { CommandOf } from '../record/command.ts';
import { failPlanning } from '../repair/retry-or-fail.ts';
import { callsUnderWay, isFailedAsk } from '../state/attempt-calls.ts';
import { type Batch, chargeOf } from '../state/batch.ts';
import { unpaidFor } from '../state/exhaustion.ts';
import { type Step, stepOf } from '../state/state.ts';

export function settleCall(batch: Batch, step: Step, { outcome, chance }: CommandOf<'settle'>, call: number): void {
  const record = step.calls[call - 1];
  if (record === undefined || !callsUnderWay(step).includes(record)) return;
  const { kind, purpose } = record;
  const isFailed = !outcome.ok && isFailedAsk({ kind, outcome: { failure: outcome.error } });
  const told = isFailed ? bad(withinTries(batch.state, step, outcome.error)) : outcome;
  endCall(batch, step, call, told, { bill: chargeOf(record, outcome.bill), server: outcome.server });
  if (isToSumUp({ purpose })) resumePlanner(batch, step);
  else if (isToCriticise({ purpose })) settlePlanAgain(batch, step);
  else if (step.spec.type === 'planning') continuePlanner(batch, step);
  else continueCalls(batch, step, chance);
}

/** Makes a call that a planner asks for. */
export function callForPlanner(batch: Batch, command: CommandOf<'call'>): Issue | undefined {
  const step = stepOf(batch.state, command.step);
  const isCurrent = step.attempt === command.attempt && step.delivery === command.delivery;
  if (step.status !== 'running' || !isCurrent) return undefined;
  const { call } = command;
  const excess = tooManyCalls(nextCallNumber(step));
  if (excess !== undefined) failPlanning(batch, step, { why: excess, bill: {} });
  else follow(batch, step, makeCall(batch, step, call));
  return undefined;
}

function follow(batch: Batch, step: Step, made: CallStart): void {
  switch (made) {
    case 'answered':
      return continuePlanner(batch, step);
    case 'no':
      return endUnpaid(batch, step);
    case 'yes':
    case 'held':
      return;
  }
}

/** Ends a planner that cannot pay for its next call: it plans nothing, so that its target converges; a repair fails. */
function endUnpaid(batch: Batch, step: Step): void {
  if (step.converges && step.repairs === undefined) return graftNothing(batch, step);
  const { failure, stop } = unpaidFor(batch.state, step);
  failPlanning(batch, step, { why: failure, bill: {}, stop });
}
