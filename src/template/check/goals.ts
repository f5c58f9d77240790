// Checks that goals refer to no sensitive values, because planners and people read goals.
import { type Issue, issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import { isSensitiveAt } from '../../contract/sensitive.ts';
import { referenceText } from '../references.ts';
import type { Scope } from '../scope.ts';
import { referencesOf } from '../step-references.ts';
import { eachStep } from './paths.ts';
import { producersOf } from './producers.ts';
import { targetOf } from './reference-targets.ts';

export function checkGoals(scope: Scope): readonly Issue[] {
  const producers = producersOf(scope);
  return eachStep(scope, (step, at) => {
    const origin = { scope, producers, step, converges: false };
    return referencesOf(step).references.flatMap((use) => {
      const target = use.at[0] === 'goal' ? targetOf(use, origin) : undefined;
      if (target?.known !== true || target.schema === undefined || !isSensitiveAt(target.schema, target.path))
        return [];
      return [
        issue('GOAL_SENSITIVE', `the goal shows ${referenceText(use)}, which its contract calls sensitive`, {
          path: [...at, ...use.at],
          ...defined({ place: use.place }),
          hint: 'describe the work in the goal, and let steps refer to the value in their input',
        }),
      ];
    });
  });
}
