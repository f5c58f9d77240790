// The gate that is meant, open or not.
import { issue } from '../base/issue.ts';
import { didYouMean } from '../base/nearest.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Gate, RunState } from '../engine/state.ts';

export function findGate({ id: run, gates, openGates }: RunState, named: string): Result<Gate> {
  const found = gates.get(named);
  if (found !== undefined) return good(found);
  const listed = openGates.size === 0 ? 'no gate of it is open' : `open are ${[...openGates].join(', ')}`;
  const hint = didYouMean(named, gates.keys()) ?? listed;
  return bad([issue('GATE_UNKNOWN', `run ${run} has no gate "${named}"`, { hint })]);
}
