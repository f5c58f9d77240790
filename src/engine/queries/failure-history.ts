// Lists the failures of a phase and the plans that were tried before.
import type { Failure } from '../../base/failure.ts';
import type { RunView } from '../state/run-view.ts';
import { type RepairFacts, type Step, stepOf } from '../state/state.ts';

/** The root failures, also those of repairs that this one supersedes. */
export function rootFailuresOf(state: RunView, { id, repairs }: Step): Step[] {
  const others = [...state.steps.values()].filter((step) => step.status === 'superseded' && step.root === id);
  const failing = [...(repairs?.failing ?? []), ...others.flatMap((other) => other.repairs?.failing ?? [])];
  return [...new Set(failing.map((each) => rootCauseOf(state, stepOf(state, each))))];
}

export function describeFailure({ failure, skipped, status }: Step): Pick<Failure, 'code' | 'message'> {
  return { code: failure?.code ?? 'STEP_FAILED', message: failure?.message ?? skipped ?? status };
}

/** A plan that was tried. */
interface EarlierPlan {
  readonly planner: string;
  readonly rationale: string;
  /** The failed steps that the next repair had to mend. */
  readonly failed: readonly Step[];
}

/** The plans of a lineage before one of its repairs, oldest first. */
export function earlierPlans(state: RunView, { lineage }: RepairFacts, before: string): readonly EarlierPlan[] {
  const repairs = state.lineages.get(lineage)?.repairs ?? [];
  const earlier = repairs.slice(0, repairs.indexOf(before));
  return earlier.map((id) => {
    const { repairs: of } = stepOf(state, id);
    const planner = of?.planner ?? lineage;
    return {
      planner,
      rationale: state.phases.get(planner)?.rationale ?? '',
      failed: rootFailuresOf(state, stepOf(state, id)),
    };
  });
}

/** The step that failed first and so ended this one. */
export function rootCauseOf(state: RunView, { id, root }: Step): Step {
  return stepOf(state, root ?? id);
}
