// The root cause of a step's end: the step that failed first.
import { type RunState, type Step, stepOf } from '../state/state.ts';

export function rootOf(state: RunState, { id, root }: Step): Step {
  return stepOf(state, root ?? id);
}
