// What a repair does otherwise than the plan that it mends: what goes on of that plan is kept, though the repair says nothing of it.
import { type PlanDiff, planDiff } from '../../planning/plan-diff.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Step } from '../state/state.ts';

export function repairDiff(before: readonly Step[], after: readonly StepSpec[]): PlanDiff {
  const standing = before.filter(goesOn).map(({ spec }) => spec.name);
  return planDiff(
    before.map(({ spec }) => spec),
    after,
    new Set(standing),
  );
}

/** Nothing has taken its place, and it has come or may still come to something. */
function goesOn({ status, takenUp }: Step): boolean {
  return takenUp === undefined && !['superseded', 'failed', 'skipped', 'cancelled'].includes(status);
}
