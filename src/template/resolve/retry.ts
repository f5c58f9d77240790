// Reads how a step recovers from a failure and how often it is tried; a step that configures retries is retried.
import { type Issue, issue } from '../../base/issue.ts';
import type { JsonObject } from '../../base/json.ts';
import { type KeyValues, readKeys } from '../keys/key.ts';
import type { commonKeys, Recovery } from '../keys/step.ts';
import { retryKeys } from '../keys/step-parts.ts';
import type { RetryPolicy, StepSpec, StepType } from '../step-spec.ts';

const ATTEMPTS_WHEN_ASKED = 3;

type RecoveryKeys = Pick<StepSpec, 'onFailure' | 'onVerificationFailure' | 'retry'>;

/** `retry` and `max_retries` imply `on_failure: retry`; a planning step counts its attempts by `max_attempts` instead. */
export function readRecovery(
  raw: JsonObject,
  read: KeyValues<typeof commonKeys>,
  type: StepType,
  issues: Issue[],
): RecoveryKeys {
  const { onVerificationFailure } = read;
  const key = ['retry', 'max_retries'].find((each) => Object.hasOwn(raw, each));
  const implied = key !== undefined && type !== 'planning' ? 'retry' : 'stop';
  const onFailure = read.onFailure ?? implied;
  const retry = policyOf(read, key !== undefined || onFailure === 'retry' || onVerificationFailure === 'retry');
  if (key !== undefined && type !== 'planning' && retry.maxAttempts > 1) {
    issues.push(...contradiction(key, onFailure, onVerificationFailure));
  }
  return { onFailure, onVerificationFailure, retry };
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

function policyOf({ retry, maxRetries }: KeyValues<typeof commonKeys>, isRetried: boolean): RetryPolicy {
  const { maxAttempts, maxRetries: own, ...delays } = retry ?? readKeys(retryKeys, {});
  const retries = own ?? maxRetries;
  const usual = isRetried ? ATTEMPTS_WHEN_ASKED : 1;
  return { maxAttempts: maxAttempts ?? (retries === undefined ? usual : retries + 1), ...delays };
}
