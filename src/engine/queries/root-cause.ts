// The root cause of a step's end: the step that failed first.
import type { RunView } from '../state/run-view.ts';
import { type Step, stepOf } from '../state/state.ts';

export function rootOf(state: RunView, { id, root }: Step): Step {
  return stepOf(state, root ?? id);
}
