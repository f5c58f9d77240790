// What a person has decided about a failure for which no repair is left.
import { failure } from '../base/failure.ts';
import type { Issue } from '../base/issue.ts';
import type { Batch } from './batch.ts';
import type { GateDecision } from './gate-answers.ts';
import { fail } from './settle.ts';
import { type Gate, stepOf } from './state.ts';

/** Called before anything is written: why the decision cannot be followed. */
export function refuseReplan(_batch: Batch, _gate: Gate, _decision: GateDecision): Issue | undefined {
  return undefined;
}

/** Called once the gate is over; its step is still held. */
export function settleReplan(batch: Batch, { step }: Gate, { by }: GateDecision): void {
  fail(batch, stepOf(batch.state, step), failure('GATE_REJECTED', `${by} wants no further repair`));
}
