// How far a template can grow: phases, repairs, and the steps that both bring.
import { widthOf } from '../../template/check/budgets.ts';
import { defaultReplan, type StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { repeatsItself } from '../packet/planning-settings.ts';
import type { FailureAssumption } from './failure-assumption.ts';
import { knownPlan, unsureSteps } from './known-plans.ts';
import { knownWidth } from './most-use.ts';

export interface Growth {
  /** Authored planning steps. */
  readonly planners: readonly StepSpec[];
  /** The number of planning steps that plan in every run. */
  readonly sure: number;
  /** Whether plans may contain planning steps. Each takes a phase that the authored ones leave. */
  readonly nests: boolean;
  /** The most phases; infinity if only the budget bounds them. */
  readonly phases: number;
  readonly replans: number;
  /** Steps that plans and repairs may bring, with the repairs themselves and the items of fan-outs. */
  readonly steps: number;
  /** Every plan, and every repair of it, is known. */
  readonly isKnown: boolean;
}

const UNBOUNDED = Number.POSITIVE_INFINITY;

export function growthOf(template: Template, assumption: FailureAssumption): Growth {
  const { steps, budget, repair } = template;
  const planners = steps.filter(({ type }) => type === 'planning');
  const plans = planners.map((step) => knownPlan(template, step, assumption));
  // If nothing fails, nothing is repaired.
  const mender = assumption.nothingFails || repair === undefined ? undefined : repair;
  const mending = mender === undefined ? undefined : knownPlan(template, mender, assumption);
  const open =
    plans.filter((plan) => plan === undefined).length + (mender !== undefined && mending === undefined ? 1 : 0);
  const spare = (budget.limit.phases ?? UNBOUNDED) > planners.length;
  const whoPlans = planners.length + (mender === undefined ? 0 : 1);
  const unsure = unsureSteps(steps);
  const sure = assumption.nothingFails ? planners.filter(({ name }) => !unsure.has(name)).length : 0;
  // A planning step that fails or is skipped returns its phase, which a nested one may take.
  const hasPhase = spare || (sure < planners.length && whoPlans > 1 && budget.limit.phases !== 0);
  const nests = budget.planningDepth > 1 && open > 0 && hasPhase;
  const phases = Math.min(nests ? UNBOUNDED : planners.length, budget.limit.phases ?? UNBOUNDED);
  const wanted = !assumption.nothingFails && mayBeRepaired(template, planners, plans, nests) ? UNBOUNDED : 0;
  const replans = Math.min(wanted, budget.limit.replans ?? UNBOUNDED);
  const sizes = planners.map((step, index) => {
    const plan = plans[index];
    return plan === undefined ? (step.budget?.fragmentSteps ?? budget.fragmentSteps) : sizeOf(plan, assumption);
  });
  const again =
    mender === undefined ? [] : [mending === undefined ? budget.fragmentSteps : sizeOf(mending, assumption)];
  const widest = Math.max(0, ...sizes, ...again);
  const planned = nests ? product(phases, widest) : sizes.reduce((sum, each) => sum + each, 0);
  return {
    planners,
    sure,
    nests,
    phases,
    replans,
    steps: planned + product(replans, 1 + widest),
    isKnown: open === 0,
  };
}

/** The steps of a plan, with the items of its fan-outs. */
function sizeOf(plan: readonly StepSpec[], { nothingFails }: FailureAssumption): number {
  return plan.length + (nothingFails ? usualWidthOf(plan) : widthOf(plan));
}

/** The items of fan-outs: the length of a written list, else the greatest width. */
export function usualWidthOf(steps: readonly StepSpec[]): number {
  return steps.reduce(
    (sum, { fanOut }) => sum + (fanOut === undefined ? 0 : (knownWidth(fanOut) ?? fanOut.maxWidth)),
    0,
  );
}

/** Whether anything can start a repair: a step's `replan`, a target, or a person. */
function mayBeRepaired(
  template: Template,
  planners: readonly StepSpec[],
  plans: readonly (readonly StepSpec[] | undefined)[],
  nests: boolean,
): boolean {
  const { steps, repair } = template;
  const planned = planners.some((step, index) => {
    const { max, maxAttempts, scope } = step.planning?.replan ?? defaultReplan;
    const isAgain = (max ?? (nests || !repeatsItself(template, step.planning?.planner) ? 1 : 0)) > 0;
    const asks = plans[index]?.some(asksForReplan) ?? true;
    return isAgain || (asks && maxAttempts > 0 && (scope === 'tail' || isAgain));
  });
  const { maxAttempts } = repair?.planning?.replan ?? defaultReplan;
  const authored = repair !== undefined && maxAttempts > 0 && steps.some(asksForReplan);
  const asked = planners.length > 0 && steps.some(({ convergence }) => convergence?.onExhaustion === 'ask');
  return planned || authored || asked;
}

function asksForReplan({ onFailure, onVerificationFailure }: StepSpec): boolean {
  return onFailure === 'replan' || onVerificationFailure === 'replan';
}

/** The product, with 0 times infinity as 0. */
function product(count: number, each: number): number {
  return count === 0 || each === 0 ? 0 : count * each;
}
