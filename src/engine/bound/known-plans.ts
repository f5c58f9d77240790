// The plans that are known before a run: those of fixed planners, and what other planners may call.
import { approvalFor, onlyWith } from '../../contract/effects-policy.ts';
import { isGranted } from '../../contract/grant.ts';
import { readFragment } from '../../planning/read-fragment.ts';
import { defaultReplan, type StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import type { FailureAssumption } from './failure-assumption.ts';

const read = new WeakMap<StepSpec, readonly StepSpec[] | null>();

/**
 * The steps of the only plan that a planning step can bring; undefined if its planner decides. At worst, people edit a plan
 * that they review, so it is unknown.
 */
export function knownPlan(
  template: Template,
  step: StepSpec,
  { nothingFails }: FailureAssumption,
): readonly StepSpec[] | undefined {
  const { planning } = step;
  const { approval } = planning?.replan ?? defaultReplan;
  if (!nothingFails && (planning?.review !== undefined || approval !== 'never')) return undefined;
  // Missing capabilities may be found or written.
  if (template.missing !== undefined) return undefined;
  let steps = read.get(step);
  if (steps === undefined) {
    steps = stepsOf(template, step) ?? null;
    read.set(step, steps);
  }
  return steps ?? undefined;
}

/** The steps of a fixed plan; undefined if the plan may be repaired, or contains planning steps. */
function stepsOf({ capabilities, limits }: Template, { planning }: StepSpec): readonly StepSpec[] | undefined {
  const planner = planning?.planner;
  if (planner?.kind !== 'fixed' || planner.repair !== undefined || planner.model !== undefined) return undefined;
  const fragment = readFragment(planner.fragment, capabilities, limits.stepTimeout);
  if (!fragment.ok || !('steps' in fragment.value)) return undefined;
  const { steps, needs, capabilities: own } = fragment.value;
  const isOpen = needs.length > 0 || own !== undefined || steps.some(({ type }) => type === 'planning');
  return isOpen ? undefined : steps;
}

/** The capabilities that plans of a planning step may call, by name. */
export function callableBy(
  { capabilities, effects }: Template,
  { planning, effects: own }: StepSpec,
): readonly string[] {
  const { allow = [], deny = [] } = planning ?? {};
  const policies = [effects, onlyWith(own)];
  return Object.values(capabilities)
    .filter((each) => isGranted(each.name, allow, deny))
    .filter((each) => policies.every((policy) => approvalFor(each, policy, 'grafted').verdict !== 'denied'))
    .map(({ name }) => name);
}

/** Steps that may be skipped although nothing fails: by a condition, by a choice, or by early convergence. */
export function unsureSteps(steps: readonly StepSpec[]): ReadonlySet<string> {
  if (steps.some(({ convergence }) => convergence?.early === true)) return new Set(steps.map(({ name }) => name));
  const unsure = new Set<string>();
  for (const { name, when, decision } of steps) {
    if (when !== undefined) unsure.add(name);
    for (const branch of decision?.branches ?? []) unsure.add(branch);
  }
  let count = -1;
  while (count < unsure.size) {
    count = unsure.size;
    for (const { name, dependencies } of steps) if (dependencies.some((each) => unsure.has(each))) unsure.add(name);
  }
  return unsure;
}
