// Checks that a step with `replan` has a repair planner, and a convergence step behind it.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { reach } from '../../graph/reach.ts';
import type { Scope } from '../scope.ts';
import type { StepSpec } from '../step-spec.ts';
import { checkPlanner } from './capabilities.ts';
import { eachStep } from './paths.ts';
import { checkRepairReferences } from './references.ts';

/** For templates: their steps belong to no phase, so that only their own repair planner can plan them again. */
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

/** The keys with which a step asks to be planned again. */
function replanKeys({ onFailure, onVerificationFailure, planning }: StepSpec): readonly string[] {
  return [
    ...(onFailure === 'replan' ? ['on_failure'] : []),
    ...(onVerificationFailure === 'replan' && planning === undefined ? ['on_verification_failure'] : []),
  ];
}

function nobodyPlans({ name }: StepSpec, path: readonly PathPart[]): Issue {
  return issue('REPAIR_MISSING', `step "${name}" asks to be planned again, and nobody plans it`, {
    path,
    hint: 'say who does: repair: { planner: … } at the top of the template',
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
  const behind = [...reach([name], (each) => dependents(each).map((step) => step.name))];
  const converges = [name, ...behind].some((each) =>
    dependents(each).some(({ convergence }) => convergence !== undefined),
  );
  if (converges) return [];
  return [
    issue('REPAIR_WITHOUT_TARGET', `nothing converges behind step "${name}", so that a new plan would end nowhere`, {
      path,
      hint: 'let a deferred step wait for it, or give one behind it a "convergence"',
    }),
  ];
}

const unused = issue('REPAIR_UNUSED', 'no step asks to be planned again', {
  severity: 'warning',
  path: ['repair'],
  hint: 'let a step say "on_failure: replan", or take the repair planner out',
});
