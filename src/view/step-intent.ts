// Finds the part of a goal that a step serves.
import type { RunView } from '../engine/state/run-view.ts';
import { type Step, stepOf } from '../engine/state/state.ts';
import type { Intents } from '../goals/intent.ts';

/** Undefined if the planner of the step named no intents. */
export function intentOf(state: RunView, step: Step): Intents['intents'][number] | undefined {
  const intents = state.phases.get(step.provenance?.planner ?? '')?.intents?.intents ?? [];
  const { name } = step.item === undefined ? step.spec : stepOf(state, step.item.of).spec;
  return intents.find(({ steps }) => steps.includes(name));
}
