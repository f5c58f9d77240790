// A step that waits for nothing and that nothing waits for stands alone, mostly by mistake.
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
          issue('STEP_ORPHAN', `nothing joins step "${step.name}" to the other steps`, {
            severity: 'warning',
            path: [...at, 'name'],
            hint: 'give it dependencies, or refer to its result',
          }),
        ],
  );
}
