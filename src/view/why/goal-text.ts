// The goal of a planning step, in words.
import { originalOf } from '../../engine/queries/lineage.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import type { Step } from '../../engine/state/state.ts';
import { resolveText } from '../../engine/values/resolve-value.ts';

/** The goal as the planner read it; as written if its references are large values. */
export function goalText(state: RunView, planner: Step): string | undefined {
  const written = planner.spec.planning?.goal;
  if (written === undefined) return undefined;
  const resolved = resolveText({ state, values: new Map() }, originalOf(state, planner), written);
  return resolved.ok ? resolved.value : written;
}
