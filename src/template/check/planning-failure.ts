// What becomes of a plan that fails is said by max_attempts, replan and on_failure: replan; other keys about failure do nothing there.
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

interface IdleKey {
  readonly key: string;
  readonly hint: string;
}

function idleKeys({ critical, onFailure, onVerificationFailure, verification }: StepSpec): readonly IdleKey[] {
  const byReview = 'take it out: what a planner answers is reviewed, and goes back to it with what is wrong';
  return [
    ...(critical ? [] : [{ key: 'critical', hint: 'take it out: only a convergence step can do without a plan' }]),
    ...(onFailure === 'skip' ? [{ key: 'on_failure', hint: 'let its target converge with "all_settled"' }] : []),
    ...(onFailure === 'retry' ? [{ key: 'on_failure', hint: 'say how often it plans with "max_attempts"' }] : []),
    ...(verification === undefined ? [] : [{ key: 'verification', hint: byReview }]),
    ...(onVerificationFailure === 'stop' ? [] : [{ key: 'on_verification_failure', hint: byReview }]),
  ];
}
