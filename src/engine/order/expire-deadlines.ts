// Expires unanswered gates, and cuts the steps of accounts whose time is over.
import type { Issue } from '../../base/issue.ts';
import type { Account } from '../../budget/ledger.ts';
import { askForBudget, asksOnExhaustion } from '../account/ask-for-budget.ts';
import { skipForBudget } from '../account/skip-for-budget.ts';
import { abortAttempt } from '../state/abort-attempt.ts';
import { type Batch, emit, paid } from '../state/batch.ts';
import { deadlines, hasExpired, openGatesOf } from '../state/deadline.ts';
import { isPaidBy, timeExhaustion } from '../state/exhaustion.ts';
import { stepOf } from '../state/state.ts';
import { expireGate } from './follow-gate-decision.ts';

export function expireDeadlines(batch: Batch): Issue | undefined {
  const { state, at } = batch;
  for (const gate of openGatesOf(state)) if (gate.end === undefined && hasExpired(gate, at)) expireGate(batch, gate);
  const due = deadlines(state, at).filter(([, end]) => end <= at);
  for (const [account] of due) {
    // A person was already asked about an exhausted account.
    if (!state.exhausted.has(account.id) && asksOnExhaustion(state, account.id)) holdPhases(batch, account);
    else emit(batch, state.version, { type: 'budget.exhausted', ...timeExhaustion(state, account, at) });
  }
  return undefined;
}

/** Holds the phases of an account. Aborted attempts are charged in full, since their use is unknown. */
function holdPhases(batch: Batch, account: Account): void {
  const { state, at } = batch;
  for (const id of [...state.running, ...state.ready, ...state.retrying]) {
    const step = stepOf(state, id);
    if (state.landing.has(id) || step.expanded !== undefined || !isPaidBy(state, step, account.id)) continue;
    const { status, reserved } = step;
    abortAttempt(batch, step, 'budget');
    const met = timeExhaustion(state, account, at);
    const isHeld = askForBudget(batch, step, met, reserved);
    if (status !== 'running') continue;
    // An attempt that ran on after its account was exhausted is not held.
    if (!isHeld) skipForBudget(batch, step, { cause: state.version, met, ...paid(reserved ?? {}) });
  }
}
