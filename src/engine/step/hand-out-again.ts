// Hands out a running attempt again, with the same request.

import { handOut } from '../attempt/hand-out.ts';
import { continueCalls, takesSeveralCalls } from '../attempt/several-calls.ts';
import { isWithCritic } from '../plan/ask-critic.ts';
import { resumePlanner } from '../plan/ask-planner.ts';
import { settlePlanAgain } from '../plan/settle-plan.ts';
import { retryOrFail } from '../repair/retry-or-fail.ts';
import type { Batch } from '../state/batch.ts';
import type { Step } from '../state/state.ts';
import { callInput } from '../values/call-input.ts';

export function handOutAgain(batch: Batch, step: Step): void {
  if (step.spec.type === 'planning')
    return isWithCritic(step) ? settlePlanAgain(batch, step) : resumePlanner(batch, step);
  if (takesSeveralCalls(step)) return continueCalls(batch, step);
  const input = callInput(batch, step);
  if (!input.ok) return retryOrFail(batch, step, input.error, { kind: 'failure', bill: {}, chance: 0 });
  handOut(batch, step, step.spec.capability ?? '', input.value);
}
