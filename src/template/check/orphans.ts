// Warns about steps without dependencies and dependents, which are mostly mistakes.
import { type Issue, issue } from '../../base/issue.ts';
import type { Scope } from '../scope.ts';
import { eachStep } from './paths.ts';

export function checkOrphans(scope: Pick<Scope, 'steps'>): readonly Issue[] {
  if (scope.steps.length < 2) return [];
  const waitedFor = new Set(scope.steps.flatMap((step) => step.dependencies));
  return eachStep(scope, (step, at) =>
    step.dependencies.length > 0 || waitedFor.has(step.name)
      ? []
      : [
          issue('STEP_ORPHAN', `step "${step.name}" has no dependencies and no dependents`, {
            severity: 'warning',
            path: [...at, 'name'],
            hint: 'add dependencies, or refer to its result in another step',
          }),
        ],
  );
}
