// Warns about retries of a capability that may be called only once: only refused calls are retried.
import { type Issue, issue } from '../../base/issue.ts';
import { isOnce } from '../../contract/declaration.ts';
import type { Scope } from '../scope.ts';
import { eachWork } from './paths.ts';

/** Warning: RETRY_COVERS_REFUSED. */
export function checkRetries({ steps, declarations }: Pick<Scope, 'steps' | 'declarations'>): readonly Issue[] {
  return eachWork({ steps }, ({ name, capability, retry }, at) => {
    const called = Object.hasOwn(declarations, capability ?? '') ? declarations[capability ?? ''] : undefined;
    if (called === undefined || retry.maxAttempts === 1 || !isOnce(called, true)) return [];
    const message = `step "${name}" is retried only when ${called.name} refused the call, because it may be called only once`;
    return [
      issue('RETRY_COVERS_REFUSED', message, {
        severity: 'warning',
        path: [...at, 'retry'],
        hint: 'ignore this, or declare `repeat: safe` or `repeat: keyed` if the capability can repeat calls',
      }),
    ];
  });
}
