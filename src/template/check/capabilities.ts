// Every capability that a step calls, or that plans, is granted.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import type { Scope } from '../scope.ts';
import { eachWork } from './paths.ts';

export function checkCapabilities(scope: Scope): readonly Issue[] {
  const known = Object.keys(scope.declarations);
  const unless = (name: string | undefined, path: readonly PathPart[]): readonly Issue[] => {
    if (name === undefined || Object.hasOwn(scope.declarations, name)) return [];
    const hint =
      didYouMean(name, known) ??
      (known.length === 0 ? 'nothing is granted: list "catalog" or a module under "capabilities"' : undefined);
    return [issue('CAPABILITY_UNKNOWN', `no granted capability is called "${name}"`, { path, hint })];
  };
  return eachWork(scope, (step, at) => {
    const planner = step.planning?.planner;
    return [
      ...unless(step.capability, [...at, 'handler']),
      ...unless(planner?.kind === 'capability' ? planner.name : undefined, [...at, 'planner', 'name']),
    ];
  });
}
