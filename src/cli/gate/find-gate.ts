// The gate that is meant, open or not.
import { bad, good, type Result } from '../../base/result.ts';
import { unknownGate } from '../../engine/gate/review-gate.ts';
import type { Gate, RunState } from '../../engine/state.ts';

export function findGate(state: RunState, named: string): Result<Gate> {
  const found = state.gates.get(named);
  return found === undefined ? bad([unknownGate(state, named)]) : good(found);
}
