// The difference between a plan and its repair. Steps of the plan that go on count as kept.
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

/** Whether a step of the old plan goes on: it is not superseded, and has not failed. */
function goesOn({ status, takenUp }: Step): boolean {
  return takenUp === undefined && !['superseded', 'failed', 'skipped', 'cancelled'].includes(status);
}
