// Rebuilds the error of another thread from its failure.

import type { Failure } from '../base/failure.ts';
import { defined } from '../base/json.ts';
import { CapabilityError } from './capability-error.ts';

export function errorFrom({ code, message, retry, retryAfter, fate, cause }: Failure): CapabilityError {
  return new CapabilityError(code, message, {
    retry,
    ...defined({ retryAfter, fate, cause: cause === undefined ? undefined : errorFrom(cause) }),
  });
}
