// Warns about keys of a planning step that have no effect. Only max_attempts, replan, on_failure: replan and on_planning_failure handle its failures.
import { type Issue, issue } from '../../base/issue.ts';
import type { Scope } from '../scope.ts';
import type { StepSpec } from '../step-spec.ts';
import { eachStep } from './paths.ts';

export function checkPlanningFailure(scope: Pick<Scope, 'steps'>): readonly Issue[] {
  return eachStep(scope, (step, at) =>
    step.type !== 'planning'
      ? []
      : idleKeys(step).map(({ key, hint }) =>
          issue('PLANNING_KEY_IDLE', `"${key}" has no effect on planning step "${step.name}"`, {
            severity: 'warning',
            path: [...at, key],
            hint,
          }),
        ),
  );
}

const tolerate = 'write "on_planning_failure: tolerate" if the run can continue without the plan';

interface IdleKey {
  readonly key: string;
  readonly hint: string;
}

function idleKeys({ critical, onFailure, onVerificationFailure, verification }: StepSpec): readonly IdleKey[] {
  const byReview = 'remove it: every plan is reviewed, and goes back to the planner with the issues';
  return [
    ...(critical ? [] : [{ key: 'critical', hint: tolerate }]),
    ...(onFailure === 'skip' ? [{ key: 'on_failure', hint: tolerate }] : []),
    ...(onFailure === 'retry' ? [{ key: 'on_failure', hint: 'set the number of plans with "max_attempts"' }] : []),
    ...(verification === undefined ? [] : [{ key: 'verification', hint: byReview }]),
    ...(onVerificationFailure === 'stop' ? [] : [{ key: 'on_verification_failure', hint: byReview }]),
  ];
}
