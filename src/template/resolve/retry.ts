// What a step does when it fails, and how often it is tried: a step that says how it is retried is retried.
import { type Issue, issue } from '../../base/issue.ts';
import type { JsonObject } from '../../base/json.ts';
import { choiceAt, durationAt, mapAt, numberAt } from '../keys/readers.ts';
import type { Recovery, RetryPolicy, StepSpec, StepType } from '../step-spec.ts';

const ATTEMPTS_WHEN_ASKED = 3;

const recoveries: readonly Recovery[] = ['stop', 'skip', 'retry', 'replan'];

type Recovering = Pick<StepSpec, 'onFailure' | 'onVerificationFailure' | 'retry'>;

/** `on_failure: retry` is implied by `retry` and `max_retries`; a planning step counts its attempts by `max_attempts` instead. */
export function readRecovery(raw: JsonObject, type: StepType, issues: Issue[]): Recovering {
  const onVerificationFailure = choiceAt(raw, 'on_verification_failure', recoveries) ?? 'stop';
  const written = choiceAt(raw, 'on_failure', recoveries);
  const key = retryKey(raw);
  const implied = key !== undefined && type !== 'planning' ? 'retry' : 'stop';
  const onFailure = written ?? implied;
  const retry = readRetry(raw, key !== undefined || onFailure === 'retry' || onVerificationFailure === 'retry');
  if (key !== undefined && type !== 'planning' && retry.maxAttempts > 1) {
    issues.push(...contradiction(key, onFailure, onVerificationFailure));
  }
  return { onFailure, onVerificationFailure, retry };
}

/** The key with which a step asks for retries. */
function retryKey(raw: JsonObject): string | undefined {
  return ['retry', 'max_retries'].find((key) => Object.hasOwn(raw, key));
}

/** A replan retries first, and a result that does not pass may be what the retries are for. */
function contradiction(key: string, onFailure: Recovery, onVerificationFailure: Recovery): readonly Issue[] {
  const ends = onFailure === 'stop' || onFailure === 'skip';
  const verifies = onVerificationFailure === 'retry' || onVerificationFailure === 'replan';
  if (!ends || verifies) return [];
  const message = `"on_failure: ${onFailure}" contradicts "${key}": the step would never be retried`;
  const hint = `remove "${key}", or write "on_failure: retry"${onFailure === 'skip' ? ' with "critical: false"' : ''}`;
  return [issue('RETRY_CONTRADICTED', message, { path: ['on_failure'], hint })];
}

function readRetry(raw: JsonObject, asked: boolean): RetryPolicy {
  const retry = mapAt(raw, 'retry') ?? {};
  const retries = numberAt(retry, 'max_retries') ?? numberAt(raw, 'max_retries');
  return {
    maxAttempts:
      numberAt(retry, 'max_attempts') ?? (retries === undefined ? (asked ? ATTEMPTS_WHEN_ASKED : 1) : retries + 1),
    backoff: choiceAt(retry, 'backoff', ['none', 'linear', 'exponential', 'fibonacci']) ?? 'exponential',
    base: durationAt(retry, 'base') ?? 1_000,
    max: durationAt(retry, 'max') ?? 30_000,
    jitter: numberAt(retry, 'jitter') ?? 0.1,
  };
}
