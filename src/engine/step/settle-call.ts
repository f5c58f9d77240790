// Settles one call of an attempt: what came back is recorded and charged, and the work goes on with it.
import type { Issue } from '../../base/issue.ts';
import { countOf, endCall, type Made, makeCall } from '../attempt/make-call.ts';
import { goOn } from '../attempt/work.ts';
import { askAgain, resumePlan } from '../plan/request-plan.ts';
import { failPlan, graftNothing, weighPlan } from '../plan/settle-plan.ts';
import { isToCriticise, isToSumUp, tooManyCalls } from '../record/call.ts';
import type { CommandOf } from '../record/command.ts';
import type { Batch } from '../state/batch.ts';
import { unpaidFor } from '../state/exhaustion.ts';
import { type Step, stepOf } from '../state/state.ts';

export function settleCall(batch: Batch, step: Step, { outcome, chance }: CommandOf<'settle'>, call: number): void {
  const isUnderWay = step.calls.length === call && step.calls[call - 1]?.outcome === undefined;
  if (!isUnderWay) return;
  // A performer that does not say what it used has used what was set aside.
  endCall(batch, step, outcome, outcome.bill ?? step.reserved);
  const { purpose } = step.calls[call - 1] ?? {};
  if (isToSumUp({ purpose })) resumePlan(batch, step);
  else if (isToCriticise({ purpose })) weighPlan(batch, step);
  else if (step.spec.type === 'planning') askAgain(batch, step);
  else goOn(batch, step, chance);
}

/** A planner asks for something: it is told what came of it once that is there. */
export function callForPlanner(batch: Batch, command: CommandOf<'call'>): Issue | undefined {
  const step = stepOf(batch.state, command.step);
  const isCurrent = step.attempt === command.attempt && step.delivery === command.delivery;
  if (step.status !== 'running' || !isCurrent) return undefined;
  const { call } = command;
  const excess = tooManyCalls(countOf(step));
  if (excess !== undefined) failPlan(batch, step, excess);
  else follow(batch, step, makeCall(batch, step, call));
  return undefined;
}

function follow(batch: Batch, step: Step, made: Made): void {
  switch (made) {
    case 'answered':
      return askAgain(batch, step);
    case 'no':
      return endUnpaid(batch, step);
    case 'yes':
    case 'held':
      return;
  }
}

/** A planner that cannot pay for its next call plans nothing more, so that its target converges; a repair has mended nothing. */
function endUnpaid(batch: Batch, step: Step): void {
  if (step.converges && step.repairs === undefined) return graftNothing(batch, step);
  const { failure, stop } = unpaidFor(batch.state, step);
  failPlan(batch, step, failure, {}, stop);
}
