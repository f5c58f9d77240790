// What a repair plans again: whose plan, after which failures, and how often that has been tried.
import { defined } from '../../base/json.ts';
import { described, failedOf, trialsBefore } from '../../engine/read/failure-history.ts';
import { repairDiff } from '../../engine/read/repair-diff.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { type Step, stepOf } from '../../engine/state/state.ts';
import type { PlanDiff } from '../../planning/plan-diff.ts';

interface Failing {
  readonly step: string;
  readonly code: string;
  readonly message: string;
}

export interface RepairTold {
  /** Whose plan is planned again; absent: no plan's, but a step of the template failed. */
  readonly planner?: string;
  readonly scope: 'tail' | 'phase';
  /** How many repairs led here, this one included. */
  readonly trial: number;
  /** The steps that failed first. None: the phase as a whole did not do. */
  readonly failing: readonly Failing[];
  /** The plans that failed before, oldest first, the one that is planned again included. */
  readonly trials: readonly {
    readonly planner: string;
    readonly rationale: string;
    readonly failed: readonly Failing[];
  }[];
  /** The digest of the plan that failed, if it had steps. */
  readonly fragment?: string;
  /** What the new plan does otherwise, once there is one. */
  readonly diff?: PlanDiff;
}

export function repairTold(state: RunView, step: Step): RepairTold | undefined {
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
    failing: failedOf(state, step).map(failingOf),
    trials: trialsBefore(state, repairs, step.id).map((tried) => ({ ...tried, failed: tried.failed.map(failingOf) })),
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
  return { step: step.id, ...described(step) };
}

/** What a plan brought; undefined before it was grafted. */
function stepsOf(state: RunView, planner: string | undefined): readonly Step[] | undefined {
  return state.phases.get(planner ?? '')?.steps.map((id) => stepOf(state, id));
}
