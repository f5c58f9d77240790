// All that a run of a template may attempt under one assumption: authored steps, plans and repairs.
import type { StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import type { FailureAssumption } from './failure-assumption.ts';
import { type Growth, growthOf, usualWidthOf } from './growth.ts';
import { callableBy, knownPlan } from './known-plans.ts';
import {
  type CallableCapabilities,
  highestUse,
  type MostUse,
  mostOfNestedPlanner,
  mostOfPlannedStep,
  mostOfStep,
  repeated,
  sumOfUses,
} from './most-use.ts';

const UNBOUNDED = Number.POSITIVE_INFINITY;

export interface TotalUse extends MostUse {
  readonly growth: Growth;
}

export function totalOf(template: Template, assumption: FailureAssumption): TotalUse {
  const { steps, budget, repair } = template;
  const growth = growthOf(template, assumption);
  const { planners } = growth;
  const authored = steps
    .filter(({ type }) => type !== 'planning')
    .map((step) => mostOfStep(template, step, assumption));
  const planning = planners.map((step) => mostOfStep(template, step, assumption));
  const grown = growth.isKnown ? mostOfKnown(template, growth, assumption) : undefined;
  if (grown !== undefined) return { growth, ...sumOfUses([...authored, ...planning, ...grown]) };
  // Fragments may use the steps that authored fan-outs leave.
  const width = assumption.nothingFails ? usualWidthOf(steps) : 0;
  const room = (budget.limit.steps ?? UNBOUNDED) - steps.length - width;
  const grafted = Math.max(0, Math.min(growth.steps, room));
  const replans = Math.min(growth.replans, grafted);
  const others = less(grafted, replans);
  const nested = growth.nests ? Math.min(others, nestedOf(growth, replans, assumption, repair !== undefined)) : 0;
  const callables = callablesOf(template, planners);
  const work = mostOfPlannedStep(template, callables, assumption);
  const nester = mostOfNestedPlanner(template, withPlanners(callables, planners), assumption);
  const menders = [
    ...planning,
    ...(growth.nests ? [nester] : []),
    ...(repair ? [mostOfStep(template, repair, assumption)] : []),
  ];
  const all = [
    ...authored,
    ...planning,
    // A repair counts as one of the planned steps, with the larger of both costs.
    repeated(highestUse(...menders, work), replans),
    repeated(highestUse(nester, work), nested),
    repeated(work, less(others, nested)),
  ];
  return { growth, ...sumOfUses(all) };
}

/** Each known plan once, and for each repair the most expensive one again. */
function mostOfKnown(
  template: Template,
  { planners, replans }: Growth,
  assumption: FailureAssumption,
): readonly MostUse[] {
  const { repair } = template;
  const menders = [...planners, ...(repair === undefined ? [] : [repair])];
  const planOf = (step: StepSpec): MostUse =>
    sumOfUses((knownPlan(template, step, assumption) ?? []).map((each) => mostOfStep(template, each, assumption)));
  const again = menders.map((step) => sumOfUses([mostOfStep(template, step, assumption), planOf(step)]));
  return [...planners.map(planOf), repeated(highestUse(...again), replans)];
}

/**
 * The most nested planning steps. A graft brings at most as many as phases are left; a failed one returns its phase, which
 * another graft may use.
 */
function nestedOf(
  { phases, sure }: Growth,
  replans: number,
  { nothingFails }: FailureAssumption,
  repairs: boolean,
): number {
  if (nothingFails) return less(phases, sure);
  const left = repairs ? phases : less(phases, 1);
  return left === 0 ? 0 : (phases + replans) * left;
}

/** The capabilities that any authored planning step grants. */
function callablesOf(template: Template, planners: readonly StepSpec[]): CallableCapabilities {
  const all = [...planners, ...(template.repair === undefined ? [] : [template.repair])];
  const callable = new Set(all.flatMap((step) => callableBy(template, step)));
  return { callable: [...callable], findsMore: template.missing !== undefined };
}

/** Adds the capabilities that plan: a nested planning step may use its parent's planner. */
function withPlanners(
  { callable, findsMore }: CallableCapabilities,
  planners: readonly StepSpec[],
): CallableCapabilities {
  const names = planners.flatMap(({ planning }) =>
    planning?.planner?.kind === 'capability' ? [planning.planner.name] : [],
  );
  return { callable: [...new Set([...callable, ...names])], findsMore };
}

function less(count: number, by: number): number {
  return count === UNBOUNDED ? UNBOUNDED : Math.max(0, count - by);
}
