// Checks that dependencies name existing steps, and not the step itself.
import { type Issue, issue } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import type { Scope } from '../scope.ts';
import { dependencyPath, eachStep } from './paths.ts';

export function checkDependencies(scope: Scope): readonly Issue[] {
  const own = new Set(scope.steps.map((step) => step.name));
  return eachStep(scope, (step, at) =>
    step.dependencies.flatMap((name) => {
      const path = dependencyPath(step, at, name);
      if (name === step.name) {
        return [issue('DEPENDENCY_SELF', `step "${name}" waits for itself`, { path, hint: 'remove the dependency' })];
      }
      if (own.has(name) || scope.outside.get(name) !== undefined) return [];
      const hint = didYouMean(
        name,
        [...own, ...scope.outside.names()].filter((each) => each !== step.name),
      );
      return [issue('DEPENDENCY_UNKNOWN', `step "${name}" is not declared`, { path, hint })];
    }),
  );
}
