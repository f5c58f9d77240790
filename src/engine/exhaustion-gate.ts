// What a person has decided about an account that cannot pay.
import { present } from '../base/fault.ts';
import type { Issue } from '../base/issue.ts';
import { type Batch, emit } from './batch.ts';
import type { GateDecision } from './gate-answers.ts';
import type { Gate } from './state.ts';

/** Called before anything is written: why the decision cannot be followed. */
export function refuseExhaustion(_batch: Batch, _gate: Gate, _decision: GateDecision): Issue | undefined {
  return undefined;
}

/** Called once the gate is over; its steps are still held. */
export function settleExhaustion(batch: Batch, { id, exhaustion }: Gate, _decision: GateDecision): void {
  const met = present(exhaustion, `the limit that gate ${id} is about`);
  emit(batch, batch.state.version, { type: 'budget.exhausted', ...met });
}
