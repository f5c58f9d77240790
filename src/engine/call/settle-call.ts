// Settles one call of an attempt: what came back is recorded and charged, and the work goes on with it.
import { failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { type Batch, emit, paid, store } from '../batch.ts';
import type { CommandOf } from '../command.ts';
import { askAgain } from '../phase/request-plan.ts';
import { graftNothing } from '../phase/settle-plan.ts';
import { type Step, stepOf } from '../state.ts';
import { recover } from '../step/recover.ts';
import { goOn } from '../step/work.ts';
import { lookUp } from './look-up.ts';
import { makeCall } from './make-call.ts';

export function settleCall(batch: Batch, step: Step, { outcome, chance }: CommandOf<'settle'>, call: number): void {
  const isUnderWay = step.calls.length === call && step.calls[call - 1]?.outcome === undefined;
  if (!isUnderWay) return;
  const { attempt, reserved = {} } = step;
  emit(batch, step.since, {
    type: 'call.ended',
    step: step.id,
    attempt,
    call,
    ...(outcome.ok ? { value: store(batch, outcome.value) } : { failure: outcome.failure }),
    ...paid(outcome.bill ?? reserved),
  });
  if (step.spec.type === 'planning') askAgain(batch, step);
  else goOn(batch, step, chance);
}

/** A planner asks for something: it is told what came of it once that is there. */
export function callForPlanner(batch: Batch, command: CommandOf<'call'>): Issue | undefined {
  const step = stepOf(batch.state, command.step);
  const isCurrent = step.attempt === command.attempt && step.delivery === command.delivery;
  if (step.status !== 'running' || !isCurrent) return undefined;
  const { call } = command;
  const made = makeCall(batch, step, call);
  if (made === 'no') endUnpaid(batch, step);
  if (made !== 'yes' || call.kind !== 'look_up' || step.status !== 'running') return undefined;
  const found = lookUp(batch, step, call.request);
  emit(batch, step.since, {
    type: 'call.ended',
    step: step.id,
    attempt: step.attempt,
    call: step.calls.length,
    ...(found.ok ? { value: store(batch, found.value) } : { failure: found.failure }),
  });
  askAgain(batch, step);
  return undefined;
}

/** A planner that cannot pay for its next call plans nothing more, so that its target converges; a repair has mended nothing. */
function endUnpaid(batch: Batch, step: Step): void {
  if (step.converges && step.repairs === undefined) return graftNothing(batch, step);
  const why = failure('BUDGET_EXCEEDED', 'the budget cannot pay for what its planner asks next', { retry: 'never' });
  recover(batch, step, why, { kind: 'failure', bill: {}, chance: 0 });
}
