// Warns about keys that try to tolerate the failure of a synthesis gate, which always stops its dependents.
import { type Issue, issue } from '../../base/issue.ts';
import type { Scope } from '../scope.ts';
import { eachStep } from './paths.ts';

export function checkSynthesis(scope: Pick<Scope, 'steps'>): readonly Issue[] {
  return eachStep(scope, ({ name, type, critical, onFailure, onVerificationFailure }, at) => {
    if (type !== 'synthesis_gate') return [];
    const keys = [
      ...(critical ? [] : ['critical']),
      ...(onFailure === 'skip' ? ['on_failure'] : []),
      ...(onVerificationFailure === 'skip' ? ['on_verification_failure'] : []),
    ];
    return keys.map((key) =>
      issue('SYNTHESIS_TOLERATED', `a failure of synthesis_gate "${name}" stops what depends on it all the same`, {
        severity: 'warning',
        path: [...at, key],
        hint: `take "${key}" out; only a convergence step can do without it`,
      }),
    );
  });
}
