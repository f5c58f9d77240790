// The report files of a run.
import { ownProperty } from '../base/json.ts';
import type { RunView } from '../engine/state/run-view.ts';

/** The paths that report steps returned, in the order of the steps. */
export function reportFiles(state: RunView): readonly string[] {
  return [...state.steps.values()].flatMap(({ spec, status, result }) => {
    if (spec.capability !== 'report.write' || status !== 'completed') return [];
    const path = result !== undefined && 'value' in result ? ownProperty(result.value, 'path') : undefined;
    return typeof path === 'string' ? [path] : [];
  });
}
