// How far a template can grow: phases, repairs, and the steps that both bring.
import { widthOf } from '../../template/check/budgets.ts';
import { defaultReplan, type StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { repeatsItself } from '../packet/settings-for.ts';
import type { Luck } from './luck.ts';
import { knownWidth } from './most-calls.ts';
import { knownPlan, unsureSteps } from './plans.ts';

export interface Growth {
  /** Authored planning steps. */
  readonly planners: readonly StepSpec[];
  /** How many of them plan, whatever happens. */
  readonly sure: number;
  /** Whether a plan may hold planning steps: each is a phase that the authored ones leave. */
  readonly nests: boolean;
  /** At most as many phases, where nothing but the budget bounds them: Infinity. */
  readonly phases: number;
  readonly replans: number;
  /** Steps that plans and repairs may bring, repairs themselves and widths of fan-outs included. */
  readonly steps: number;
  /** Every plan, and every repair of it, is known. */
  readonly isKnown: boolean;
}

const UNBOUNDED = Number.POSITIVE_INFINITY;

export function growthOf(template: Template, luck: Luck): Growth {
  const { steps, budget, repair } = template;
  const planners = steps.filter(({ type }) => type === 'planning');
  const plans = planners.map((step) => knownPlan(template, step, luck));
  // Where nothing fails nobody is asked for a repair.
  const mender = luck.nothingFails || repair === undefined ? undefined : repair;
  const mending = mender === undefined ? undefined : knownPlan(template, mender, luck);
  const open =
    plans.filter((plan) => plan === undefined).length + (mender !== undefined && mending === undefined ? 1 : 0);
  const spare = (budget.limit.phases ?? UNBOUNDED) > planners.length;
  const whoPlans = planners.length + (mender === undefined ? 0 : 1);
  const unsure = unsureSteps(steps);
  const sure = luck.nothingFails ? planners.filter(({ name }) => !unsure.has(name)).length : 0;
  // One that failed or is not run gives its phase back, while another plans.
  const hasPhase = spare || (sure < planners.length && whoPlans > 1 && budget.limit.phases !== 0);
  const nests = budget.planningDepth > 1 && open > 0 && hasPhase;
  const phases = Math.min(nests ? UNBOUNDED : planners.length, budget.limit.phases ?? UNBOUNDED);
  const wanted = !luck.nothingFails && mayBeRepaired(template, planners, plans, nests) ? UNBOUNDED : 0;
  const replans = Math.min(wanted, budget.limit.replans ?? UNBOUNDED);
  const sizes = planners.map((step, index) => {
    const plan = plans[index];
    return plan === undefined ? (step.budget?.fragmentSteps ?? budget.fragmentSteps) : sizeOf(plan, luck);
  });
  const again = mender === undefined ? [] : [mending === undefined ? budget.fragmentSteps : sizeOf(mending, luck)];
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

/** Steps of a plan, and those that its fan-outs become. */
function sizeOf(plan: readonly StepSpec[], { nothingFails }: Luck): number {
  return plan.length + (nothingFails ? usualWidthOf(plan) : widthOf(plan));
}

/** As many as their lists are long where those are written out, else as many as they may become. */
export function usualWidthOf(steps: readonly StepSpec[]): number {
  return steps.reduce(
    (sum, { fanOut }) => sum + (fanOut === undefined ? 0 : (knownWidth(fanOut) ?? fanOut.maxWidth)),
    0,
  );
}

/** Whether anything can start a repair: a step that asks for one, a target that its phase may be planned again for, a person. */
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

/** None of something is none of it, however often. */
function product(count: number, each: number): number {
  return count === 0 || each === 0 ? 0 : count * each;
}
