// Attaches a driver to a run: attempts under way have lost their performer and are handed out again.

import { counted } from '../../base/counted.ts';
import { failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import { affordAmount } from '../account/afford.ts';
import { skipForBudget } from '../account/skip-for-budget.ts';
import { takesSeveralCalls } from '../attempt/several-calls.ts';
import type { CommandOf } from '../record/command.ts';
import { retryOrFail } from '../repair/retry-or-fail.ts';
import { callsUnderWay } from '../state/attempt-calls.ts';
import { type Batch, emit } from '../state/batch.ts';
import { childFor, childUnderWay } from '../state/child-run.ts';
import { type Step, stepOf } from '../state/state.ts';
import { handOutAgain } from '../step/hand-out-again.ts';
import { isHeldForUnknownOutcome } from '../step/unknown-outcome.ts';

export function attachDriver(batch: Batch, { by, lead = 0, traceparent }: CommandOf<'attach'>): Issue | undefined {
  const { state } = batch;
  if (state.status === 'ended') return undefined;
  emit(batch, 0, { type: 'run.attached', by, ...(lead > 0 ? { lead } : {}), ...defined({ traceparent }) });
  for (const id of [...state.running]) redeliver(batch, stepOf(state, id));
  return undefined;
}

/**
 * Charges the lost delivery in full, since its use is unknown; the next delivery has its own reservation. In a fork,
 * attempts of the original run were never handed out, and are not charged.
 */
function redeliver(batch: Batch, step: Step): void {
  const { state } = batch;
  // A child run outlives its driver and goes on from its journal.
  if (childUnderWay(state, step) !== undefined) return handOutAgain(batch, step);
  const { id, attempt, delivery, reserved, inputDigest, key } = step;
  const isUsed = state.forked === undefined || step.since > state.forked.at;
  if (isUsed && isHeldForUnknownOutcome(batch, step, 'the run was interrupted during the call', reserved ?? {})) return;
  emit(batch, state.version, {
    type: 'attempt.lost',
    step: id,
    attempt,
    ...defined({ assumed: isUsed ? reserved : undefined }),
  });
  if (delivery >= step.spec.maxDeliveries && !isBetweenCalls(step)) {
    const lost = failure(
      'WORKER_LOST',
      `attempt ${attempt} was handed out ${counted(delivery, 'time')} and never came back`,
    );
    retryOrFail(batch, step, lost, { kind: 'failure', bill: {}, chance: 0 });
    return;
  }
  // Work that is paid by call pays again when it repeats the lost call.
  const isPaidByCall = step.spec.type === 'planning' || takesSeveralCalls(step);
  const again = isPaidByCall ? undefined : reserved;
  const afforded = affordAmount(batch, step, again ?? {});
  if (afforded === 'no') skipForBudget(batch, step, { cause: state.version });
  if (afforded !== 'yes') return;
  emit(batch, state.version, {
    type: 'attempt.started',
    step: id,
    attempt,
    delivery: delivery + 1,
    ...defined({ reserved: again, input: inputDigest, key }),
    ...(isPaidByCall ? {} : childFor(state, step, step.spec.capability ?? '', attempt)),
  });
  handOutAgain(batch, step);
}

/** A driver that was told to stop leaves a step so; a crash loses the call that is under way. */
function isBetweenCalls(step: Step): boolean {
  return takesSeveralCalls(step) && callsUnderWay(step).length === 0;
}
