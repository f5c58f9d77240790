// How often a step is tried: its `retry`, or `max_retries`, or what its reactions to failure ask for.
import type { JsonObject } from '../../base/json.ts';
import type { Recovery, RetryPolicy } from '../step-spec.ts';
import { choiceAt, durationAt, mapAt, numberAt } from './readers.ts';

const ATTEMPTS_WHEN_ASKED = 3;

export function readRetry(raw: JsonObject, reactions: readonly Recovery[]): RetryPolicy {
  const retry = mapAt(raw, 'retry') ?? {};
  const retries = numberAt(retry, 'max_retries') ?? numberAt(raw, 'max_retries');
  const asked = Object.hasOwn(raw, 'retry') || reactions.includes('retry');
  return {
    maxAttempts:
      numberAt(retry, 'max_attempts') ?? (retries === undefined ? (asked ? ATTEMPTS_WHEN_ASKED : 1) : retries + 1),
    backoff: choiceAt(retry, 'backoff', ['none', 'linear', 'exponential', 'fibonacci']) ?? 'exponential',
    base: durationAt(retry, 'base') ?? 1_000,
    max: durationAt(retry, 'max') ?? 30_000,
    jitter: numberAt(retry, 'jitter') ?? 0.1,
  };
}
