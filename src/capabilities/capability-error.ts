// What a capability throws to say how it failed; anything else that it throws becomes CAPABILITY_THREW.
import { type Failure, failure } from '../base/failure.ts';
import type { Duration } from '../base/quantity.ts';

export interface CapabilityErrorDetails {
  /** `never` when the same call would fail the same way again; default `may`. */
  readonly retry?: 'may' | 'never';
  /** How long the other side asked us to wait. */
  readonly retryAfter?: Duration;
  readonly cause?: unknown;
}

export class CapabilityError extends Error {
  override readonly name = 'CapabilityError';
  /** NOUN_PROBLEM in capitals. */
  readonly code: string;
  readonly retry: 'may' | 'never';
  readonly retryAfter: Duration | undefined;

  constructor(code: string, message: string, details: CapabilityErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.retry = details.retry ?? 'may';
    this.retryAfter = details.retryAfter;
  }
}

const DEEPEST_CAUSE = 5;
/** Characters of a message that are kept: it is stored, printed, and told to planners. */
const LONGEST_MESSAGE = 2_000;

/** Whatever was thrown, as a failure: its message and its causes, never its stack. */
export function failureOf(thrown: unknown, depth = 0): Failure {
  const cause =
    thrown instanceof Error && thrown.cause !== undefined && depth < DEEPEST_CAUSE
      ? failureOf(thrown.cause, depth + 1)
      : undefined;
  if (thrown instanceof CapabilityError) {
    return failure(thrown.code, cut(thrown.message), { retry: thrown.retry, retryAfter: thrown.retryAfter, cause });
  }
  return failure('CAPABILITY_THREW', cut(messageOf(thrown)), { cause });
}

function cut(message: string): string {
  const { length } = message;
  if (length <= LONGEST_MESSAGE) return message;
  return `${message.slice(0, LONGEST_MESSAGE).replace(/[\uD800-\uDBFF]$/, '')}… (cut: ${length} characters)`;
}

/** The message of anything that can be thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message === '' ? thrown.name : thrown.message;
  return typeof thrown === 'string' && thrown !== '' ? thrown : `threw ${describe(thrown)} instead of an Error`;
}

function describe(thrown: unknown): string {
  return thrown === null || thrown === undefined ? String(thrown) : `a value of type ${typeof thrown}`;
}

/** The code of a system error such as ENOENT; undefined when it is not one. */
export function systemCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}
