// Every capability that a step calls, or that plans, is granted.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import type { Scope } from '../scope.ts';
import type { PlannerSpec } from '../step-spec.ts';
import { eachWork } from './paths.ts';

export function checkCapabilities(scope: Scope): readonly Issue[] {
  return eachWork(scope, (step, at) => [
    ...unlessGranted(step.capability, scope, [...at, 'handler']),
    ...checkPlanner(step.planning?.planner, scope, [...at, 'planner']),
  ]);
}

/** A planner that is a capability, or that gives tasks to one. */
export function checkPlanner(
  planner: PlannerSpec | undefined,
  scope: Scope,
  at: readonly PathPart[],
): readonly Issue[] {
  switch (planner?.kind) {
    case 'capability':
      return unlessGranted(planner.name, scope, [...at, 'name']);
    case 'pattern':
    case 'hybrid':
      return Object.entries(planner.kinds).flatMap(([kind, { capability }]) =>
        unlessGranted(capability, scope, [...at, 'kinds', kind, 'capability']),
      );
    case undefined:
    case 'lisp':
    case 'fixed':
    case 'llm':
      return [];
  }
}

function unlessGranted(name: string | undefined, { declarations }: Scope, path: readonly PathPart[]): readonly Issue[] {
  if (name === undefined || Object.hasOwn(declarations, name)) return [];
  const known = Object.keys(declarations);
  const hint =
    didYouMean(name, known) ??
    (known.length === 0 ? 'nothing is granted: list "catalog" or a module under "capabilities"' : undefined);
  return [issue('CAPABILITY_UNKNOWN', `no granted capability is called "${name}"`, { path, hint })];
}
