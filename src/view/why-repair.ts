// What a repair plans again: whose plan, after which failures, and how often that has been tried.
import type { RunState, Step } from '../engine/state.ts';
import { stepOf } from '../engine/state.ts';

export interface RepairTold {
  /** Whose plan is planned again; absent: no plan's, but a step of the template failed. */
  readonly planner?: string;
  readonly scope: 'tail' | 'phase';
  /** How many repairs led here, this one included. */
  readonly trial: number;
  /** None: the phase as a whole did not do. */
  readonly failing: readonly { readonly step: string; readonly code: string; readonly message: string }[];
  /** The digest of the plan that failed, if it had steps. */
  readonly fragment?: string;
}

export function repairTold(state: RunState, { repairs }: Step): RepairTold | undefined {
  if (repairs === undefined) return undefined;
  const { planner, scope, trial, failing } = repairs;
  const [first] = state.phases.get(planner ?? '')?.steps ?? [];
  const fragment = first === undefined ? undefined : stepOf(state, first).provenance?.fragment;
  return {
    ...(planner === undefined ? {} : { planner }),
    scope,
    trial,
    failing: failing.map((id) => {
      const { code = 'STEP_FAILED', message = 'it did not succeed' } = stepOf(state, id).failure ?? {};
      return { step: id, code, message };
    }),
    ...(fragment === undefined ? {} : { fragment }),
  };
}
