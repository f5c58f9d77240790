// Says that a retry policy covers less than it seems to where a step calls what may be called only once.
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
        hint: 'leave it so, or declare `repeat: safe` or `repeat: keyed` where the capability or its server can repeat',
      }),
    ];
  });
}
