// Checks that step names are unique in their document.
import { type Issue, issue } from '../../base/issue.ts';
import type { Scope } from '../scope.ts';
import { eachStep } from './paths.ts';

export function checkNames(scope: Scope): readonly Issue[] {
  const seen = new Set<string>();
  return eachStep(scope, ({ name }, at) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [
      issue('STEP_NAME_REPEATED', `there are two steps called "${name}"`, {
        path: [...at, 'name'],
        hint: 'rename one of them',
      }),
    ];
  });
}
