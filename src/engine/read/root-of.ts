// The step whose end is the reason of a step's.
import { type RunState, type Step, stepOf } from '../state/state.ts';

export function rootOf(state: RunState, { id, root }: Step): Step {
  return stepOf(state, root ?? id);
}
