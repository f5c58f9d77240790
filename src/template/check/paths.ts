// Where the checks' findings stand: in a step of the scope, in the keys' own names.
import type { PathPart } from '../../base/issue.ts';
import type { Scope } from '../scope.ts';
import { referencesOf } from '../step-references.ts';
import type { StepSpec } from '../step-spec.ts';

/** One finding's way through a scope: every step with the path to it. */
export function eachStep<T>(
  scope: Pick<Scope, 'steps'>,
  visit: (step: StepSpec, at: readonly PathPart[]) => readonly T[],
): readonly T[] {
  return scope.steps.flatMap((step, index) => visit(step, ['steps', index]));
}

/** Every step, and after a fan-out the step that it runs for each item; `of` is then the fan-out. */
export function eachWork<T>(
  scope: Pick<Scope, 'steps'>,
  visit: (step: StepSpec, at: readonly PathPart[], of?: StepSpec) => readonly T[],
): readonly T[] {
  return eachStep(scope, (step, at) => [
    ...visit(step, at),
    ...(step.fanOut === undefined ? [] : visit(step.fanOut.do, [...at, 'do'], step)),
  ]);
}

/** Where a dependency is declared, or the reference that implies it. */
export function dependencyPath(step: StepSpec, at: readonly PathPart[], name: string): readonly PathPart[] {
  if (!step.implied.includes(name)) return [...at, 'dependencies', Math.max(0, step.dependencies.indexOf(name))];
  const use = referencesOf(step).references.find(({ root, path }) => root === 'results' && path[0] === name);
  return [...at, ...(use?.at ?? [])];
}
