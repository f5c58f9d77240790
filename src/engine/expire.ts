// Time has brought something: gates that nobody answered expire, and at the deadline the steps of phases are cut off.
import type { Issue } from '../base/issue.ts';
import { type Batch, emit } from './batch.ts';
import { hasExpired, isOutOfTime, openGatesOf, timeLeft } from './deadline.ts';
import { timeExhaustion } from './exhaustion.ts';
import { expireGate } from './gate-kinds.ts';

export function expire(batch: Batch): Issue | undefined {
  const { state, at } = batch;
  for (const gate of openGatesOf(state)) if (gate.end === undefined && hasExpired(gate, at)) expireGate(batch, gate);
  if (isOutOfTime(state) || timeLeft(state, at, false) > 0) return undefined;
  emit(batch, state.version, { type: 'budget.exhausted', ...timeExhaustion(state, at) });
  return undefined;
}
