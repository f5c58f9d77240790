// Time has brought something: gates that nobody answered expire, and at the deadline the steps of phases are cut off.
import type { Issue } from '../../base/issue.ts';
import { type Batch, emit } from '../batch.ts';
import { hasExpired, isOutOfTime, openGatesOf, timeLeft } from '../deadline.ts';
import { expireGate } from '../gate/gate-kinds.ts';
import { askAbout, isToAsk } from '../spend/ask-for-budget.ts';
import { timeExhaustion } from '../spend/exhaustion.ts';
import { RUN_ACCOUNT, stepOf } from '../state.ts';

export function expire(batch: Batch): Issue | undefined {
  const { state, at } = batch;
  for (const gate of openGatesOf(state)) if (gate.end === undefined && hasExpired(gate, at)) expireGate(batch, gate);
  if (isOutOfTime(state) || timeLeft(state, at, false) > 0) return undefined;
  // Who has let the run converge has been asked.
  if (!state.exhausted.has(RUN_ACCOUNT) && isToAsk(state, RUN_ACCOUNT)) holdPhases(batch);
  else emit(batch, state.version, { type: 'budget.exhausted', ...timeExhaustion(state, at) });
  return undefined;
}

/** What an attempt that is broken off has used is not known, so it is charged in full. */
function holdPhases(batch: Batch): void {
  const { state, at, effects } = batch;
  for (const id of [...state.running, ...state.ready, ...state.retrying]) {
    const step = stepOf(state, id);
    if (state.landing.has(id) || step.expanded !== undefined) continue;
    const { status, reserved } = step;
    const isHeld = askAbout(batch, step, timeExhaustion(state, at), reserved);
    if (isHeld && status === 'running') effects.push({ type: 'abort', step: id, why: 'budget' });
  }
}
