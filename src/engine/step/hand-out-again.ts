// Hands an attempt out once more that is under way: what it was asked for has not changed.
import type { Batch } from '../batch.ts';
import { isCriticised } from '../phase/hear-critic.ts';
import { resumePlan } from '../phase/request-plan.ts';
import { weighPlan } from '../phase/settle-plan.ts';
import type { Step } from '../state.ts';
import { handOut } from './attempt.ts';
import { callInput } from './call-input.ts';
import { recover } from './recover.ts';
import { goOn, isWork } from './work.ts';

export function handOutAgain(batch: Batch, step: Step): void {
  if (step.spec.type === 'planning') return isCriticised(step) ? weighPlan(batch, step) : resumePlan(batch, step);
  if (isWork(step)) return goOn(batch, step);
  const input = callInput(batch, step);
  if (!input.ok) return recover(batch, step, input.failure, { kind: 'failure', bill: {}, chance: 0 });
  handOut(batch, step, step.spec.capability ?? '', input.value);
}
