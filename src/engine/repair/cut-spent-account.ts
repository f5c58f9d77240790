// Skips the steps that a spent account would have paid for. Its convergence steps stay and converge.

import { defined } from '../../base/json.ts';
import { skipForBudget } from '../account/skip-for-budget.ts';
import { abortAttempt, isUnderWay } from '../state/abort-attempt.ts';
import { type Batch, emit } from '../state/batch.ts';
import { isPaidBy, isSpared } from '../state/exhaustion.ts';
import { isTerminal, type Step } from '../state/state.ts';
import { judgeTarget } from './judge-target.ts';

/**
 * Running steps may end, unless the spent resource is time. Convergence steps stay: they are judged when their feeders
 * have ended, and then pay for themselves or are skipped. A fan-out whose items are cut stays too, with the items it has.
 */
export function cutSpentAccount(batch: Batch, account: string, cause: number): void {
  const { state } = batch;
  const outOfTime = state.exhausted.get(account)?.resource === 'time';
  for (const step of state.steps.values()) {
    if (isTerminal(step) || isSpared(state, step, account) || !isPaidBy(state, step, account)) continue;
    const stays = step.converges && step.repairs === undefined && !isUnderWay(state, step);
    if (stays && step.status === 'held') goOn(batch, step, cause);
    if (stays || step.expanded !== undefined) continue;
    if (isUnderWay(state, step) && !outOfTime) continue;
    abortAttempt(batch, step, 'budget');
    // An aborted attempt is charged in full, because its use is unknown.
    const bill = defined({ bill: step.reserved });
    skipForBudget(batch, step, { cause, met: state.exhausted.get(account), ...bill });
  }
}

/** Releases a held target without an answer: a judged target runs, the others are judged now. */
function goOn(batch: Batch, step: Step, cause: number): void {
  if (step.convergence === undefined) judgeTarget(batch, step, cause);
  else emit(batch, cause, { type: 'steps.released', steps: [step.id] });
}
