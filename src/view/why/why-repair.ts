// Explains a repair: the plan that it mends, its failures, and the earlier trials.
import { defined } from '../../base/json.ts';
import { describeFailure, earlierPlans, rootFailuresOf } from '../../engine/queries/failure-history.ts';
import { repairDiff } from '../../engine/queries/repair-diff.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { type Step, stepOf } from '../../engine/state/state.ts';
import type { PlanDiff } from '../../planning/plan-diff.ts';

interface Failing {
  readonly step: string;
  readonly code: string;
  readonly message: string;
}

export interface RepairExplanation {
  /** The planner whose plan is repaired; absent if an authored step failed. */
  readonly planner?: string;
  readonly scope: 'tail' | 'phase';
  /** The number of repairs, with this one. */
  readonly trial: number;
  /** The root failures; empty if the whole phase failed. */
  readonly failing: readonly Failing[];
  /** The plans that failed before, the oldest first, with the repaired one. */
  readonly trials: readonly {
    readonly planner: string;
    readonly rationale: string;
    readonly failed: readonly Failing[];
  }[];
  /** The digest of the plan that failed, if it had steps. */
  readonly fragment?: string;
  /** The difference of the new plan, once it exists. */
  readonly diff?: PlanDiff;
}

export function repairBriefOf(state: RunView, step: Step): RepairExplanation | undefined {
  const { repairs } = step;
  if (repairs === undefined) return undefined;
  const { planner, scope, trial } = repairs;
  const before = stepsOf(state, planner) ?? [];
  const after = stepsOf(state, step.id);
  const fragment = before[0]?.provenance?.fragment;
  return {
    ...defined({ planner }),
    scope,
    trial,
    failing: rootFailuresOf(state, step).map(failingOf),
    trials: earlierPlans(state, repairs, step.id).map((tried) => ({ ...tried, failed: tried.failed.map(failingOf) })),
    ...defined({ fragment }),
    ...(after === undefined
      ? {}
      : {
          diff: repairDiff(
            before,
            after.map(({ spec }) => spec),
          ),
        }),
  };
}

function failingOf(step: Step): Failing {
  return { step: step.id, ...describeFailure(step) };
}

/** The steps of a plan; undefined before the graft. */
function stepsOf(state: RunView, planner: string | undefined): readonly Step[] | undefined {
  return state.phases.get(planner ?? '')?.steps.map((id) => stepOf(state, id));
}
