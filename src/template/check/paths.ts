// Walks the steps of a scope with their paths, in the keys' own names.
import type { PathPart } from '../../base/issue.ts';
import type { Scope } from '../scope.ts';
import { referencesOf } from '../step-references.ts';
import type { StepSpec } from '../step-spec.ts';

/** Visits each step with its path. */
export function eachStep<T>(
  scope: Pick<Scope, 'steps'>,
  visit: (step: StepSpec, at: readonly PathPart[]) => readonly T[],
): readonly T[] {
  return scope.steps.flatMap((step, index) => visit(step, ['steps', index]));
}

/** Visits each step, and the item step of each fan-out; `of` is then the fan-out. */
export function eachWork<T>(
  scope: Pick<Scope, 'steps'>,
  visit: (step: StepSpec, at: readonly PathPart[], of?: StepSpec) => readonly T[],
): readonly T[] {
  return eachStep(scope, (step, at) => [
    ...visit(step, at),
    ...(step.fanOut === undefined ? [] : visit(step.fanOut.do, [...at, 'do'], step)),
  ]);
}

/** The path of a declared dependency, or of the reference that implies it. */
export function dependencyPath(step: StepSpec, at: readonly PathPart[], name: string): readonly PathPart[] {
  if (!step.implied.includes(name)) return [...at, 'dependencies', Math.max(0, step.dependencies.indexOf(name))];
  const use = referencesOf(step).references.find(({ root, path }) => root === 'results' && path[0] === name);
  return [...at, ...(use?.at ?? [])];
}
