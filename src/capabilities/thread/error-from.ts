// A failure as the error that it was in another thread.

import type { Failure } from '../../base/failure.ts';
import { defined } from '../../base/json.ts';
import { CapabilityError } from '../capability-error.ts';

export function errorFrom({ code, message, retry, retryAfter, cause }: Failure): CapabilityError {
  return new CapabilityError(code, message, {
    retry,
    ...defined({ retryAfter, cause: cause === undefined ? undefined : errorFrom(cause) }),
  });
}
