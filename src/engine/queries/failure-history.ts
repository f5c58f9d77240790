// Lists the failures of a phase and the plans that were tried before.
import type { Failure } from '../../base/failure.ts';
import type { RunView } from '../state/run-view.ts';
import { type Repairs, type Step, stepOf } from '../state/state.ts';
import { rootOf } from './root-cause.ts';

/** The root failures, also those of repairs that this one supersedes. */
export function failedOf(state: RunView, { id, repairs }: Step): Step[] {
  const others = [...state.steps.values()].filter((step) => step.status === 'superseded' && step.root === id);
  const failing = [...(repairs?.failing ?? []), ...others.flatMap((other) => other.repairs?.failing ?? [])];
  return [...new Set(failing.map((each) => rootOf(state, stepOf(state, each))))];
}

export function described({ failure, skipped, status }: Step): Pick<Failure, 'code' | 'message'> {
  return { code: failure?.code ?? 'STEP_FAILED', message: failure?.message ?? skipped ?? status };
}

/** A plan that was tried. */
interface Tried {
  readonly planner: string;
  readonly rationale: string;
  /** The failed steps that the next repair had to mend. */
  readonly failed: readonly Step[];
}

/** The plans of a lineage before one of its repairs, oldest first. */
export function trialsBefore(state: RunView, { lineage }: Repairs, before: string): readonly Tried[] {
  const repairs = state.lineages.get(lineage)?.repairs ?? [];
  const earlier = repairs.slice(0, repairs.indexOf(before));
  return earlier.map((id) => {
    const { repairs: of } = stepOf(state, id);
    const planner = of?.planner ?? lineage;
    return {
      planner,
      rationale: state.phases.get(planner)?.rationale ?? '',
      failed: failedOf(state, stepOf(state, id)),
    };
  });
}
