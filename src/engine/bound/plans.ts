// The plans that a template can grow, as far as they are known before it runs: what a fixed planner says, and what any other may call.
import { approvalFor, onlyWith } from '../../contract/effects-policy.ts';
import { isGranted } from '../../contract/grant.ts';
import { readFragment } from '../../planning/fragment.ts';
import { defaultReplan, type StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import type { Luck } from './luck.ts';

const read = new WeakMap<StepSpec, readonly StepSpec[] | null>();

/**
 * The steps of the only plan that a planning step can bring; undefined: its planner decides. At worst a plan that people
 * review is edited by them, and is not known.
 */
export function knownPlan(template: Template, step: StepSpec, { nothingFails }: Luck): readonly StepSpec[] | undefined {
  const { planning } = step;
  const { approval } = planning?.replan ?? defaultReplan;
  if (!nothingFails && (planning?.review !== undefined || approval !== 'never')) return undefined;
  // What is missing may be found or made up.
  if (template.missing !== undefined) return undefined;
  let steps = read.get(step);
  if (steps === undefined) {
    steps = stepsOf(template, step) ?? null;
    read.set(step, steps);
  }
  return steps ?? undefined;
}

/** Whoever mends a plan decides what becomes of it, and so does whoever plans within it. */
function stepsOf({ capabilities }: Template, { planning }: StepSpec): readonly StepSpec[] | undefined {
  const planner = planning?.planner;
  if (planner?.kind !== 'fixed' || planner.repair !== undefined || planner.model !== undefined) return undefined;
  const fragment = readFragment(planner.fragment, capabilities);
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

/** Steps that may not run although nothing fails: behind a condition, a choice, or beside a target that fires early. */
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
