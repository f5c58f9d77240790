// How the plans of a planning step are reviewed and repaired. A nested planning step follows the authored one above it.
import { modelNamed, plannerModelOf } from '../../template/model-use.ts';
import { defaultReplan, type PlannerSpec, type PlanningSpec, type ReplanSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { type RunState, type Step, stepOf } from '../state/state.ts';
import { authoredAbove, plannerFor, planningOf } from './frame-of.ts';

/** The repair settings with all defaults. `max` is 1, but 0 for a planner that would only repeat its plan. */
export function replanSettings(state: RunState, step: Step): Required<ReplanSpec> {
  const { replan = defaultReplan } = authoredAbove(state, step);
  return { ...replan, max: replan.max ?? (saysTheSame(state, step) ? 0 : 1) };
}

export function reviewSetting(state: RunState, step: Step): PlanningSpec['review'] {
  return authoredAbove(state, step).review;
}

/** Whether the run can do without a plan of this step. A nested planning step without a setting follows its parent. */
export function toleratesNoPlan(state: RunState, step: Step): boolean {
  const { onPlanningFailure } = planningOf(step);
  if (onPlanningFailure !== undefined) return onPlanningFailure === 'tolerate';
  return step.provenance !== undefined && toleratesNoPlan(state, stepOf(state, step.provenance.planner));
}

function saysTheSame(state: RunState, step: Step): boolean {
  return repeatsItself(state.template, plannerFor(state, step));
}

/** Whether a planner would repeat its plan: a rule does, and so does a planner without a model. */
export function repeatsItself({ models }: Pick<Template, 'models'>, planner: PlannerSpec | undefined): boolean {
  const asked = plannerModelOf(planner);
  if (asked !== undefined) return modelNamed(models, asked.model) === undefined;
  return planner?.kind === 'lisp' || planner?.kind === 'fixed' || planner?.kind === 'pattern';
}
