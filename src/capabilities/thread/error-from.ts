// A failure as the error that it was in another thread.
import type { Failure } from '../../base/failure.ts';
import { CapabilityError } from '../capability-error.ts';

export function errorFrom({ code, message, retry, retryAfter, cause }: Failure): CapabilityError {
  return new CapabilityError(code, message, {
    retry,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(cause === undefined ? {} : { cause: errorFrom(cause) }),
  });
}
