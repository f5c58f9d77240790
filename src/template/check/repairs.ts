// Checks that a step with `replan` has a repair planner, and a convergence step behind it.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { reachableFrom } from '../../graph/reach.ts';
import type { Scope } from '../scope.ts';
import type { StepSpec } from '../step-spec.ts';
import { checkPlanner } from './capabilities.ts';
import { eachStep } from './paths.ts';
import { checkRepairReferences } from './references.ts';

/** Authored steps belong to no phase, so only the template's repair planner can repair them. */
export function checkRepairs(scope: Scope, repair: StepSpec | undefined): readonly Issue[] {
  const asking = eachStep(scope, (step, at) => replanKeys(step).map((key) => ({ step, path: [...at, key] })));
  if (repair === undefined) return asking.map(({ step, path }) => nobodyPlans(step, path));
  const dependents = dependentsIn(scope);
  const findings = [
    ...checkPlanner(repair.planning?.planner, scope, ['repair', 'planner']),
    ...checkRepairReferences(scope, repair),
  ];
  if (asking.length === 0) return [...findings, unused];
  return [...findings, ...asking.flatMap(({ step, path }) => unlessConverging(step, path, dependents))];
}

/** The keys with which a step asks for a repair. */
function replanKeys({ onFailure, onVerificationFailure, planning }: StepSpec): readonly string[] {
  return [
    ...(onFailure === 'replan' ? ['on_failure'] : []),
    ...(onVerificationFailure === 'replan' && planning === undefined ? ['on_verification_failure'] : []),
  ];
}

function nobodyPlans({ name }: StepSpec, path: readonly PathPart[]): Issue {
  return issue('REPAIR_MISSING', `step "${name}" has "replan", but the template has no repair planner`, {
    path,
    hint: 'add repair: { planner: … } at the top of the template',
  });
}

type Dependents = (name: string) => readonly StepSpec[];

function dependentsIn({ steps }: Scope): Dependents {
  const dependents = new Map<string, StepSpec[]>();
  for (const step of steps) {
    for (const name of step.dependencies) dependents.set(name, [...(dependents.get(name) ?? []), step]);
  }
  return (name) => dependents.get(name) ?? [];
}

function unlessConverging({ name }: StepSpec, path: readonly PathPart[], dependents: Dependents): readonly Issue[] {
  const behind = [...reachableFrom([name], (each) => dependents(each).map((step) => step.name))];
  const converges = [name, ...behind].some((each) =>
    dependents(each).some(({ convergence }) => convergence !== undefined),
  );
  if (converges) return [];
  return [
    issue('REPAIR_WITHOUT_TARGET', `nothing converges behind step "${name}", so a new plan would have no target`, {
      path,
      hint: 'let a deferred step depend on it, or add "convergence" to a step behind it',
    }),
  ];
}

const unused = issue('REPAIR_UNUSED', 'no step uses the repair planner', {
  severity: 'warning',
  path: ['repair'],
  hint: 'write "on_failure: replan" on a step, or remove the repair planner',
});
