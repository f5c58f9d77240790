// Retries as templates ask for them: a step that says how it is retried is retried.
import { describe, expect, it } from 'vitest';
import { findings, template } from './given-steps.ts';

const call = (fields: string) =>
  `  - { name: a, handler: files.list, input: { folder: . }${fields === '' ? '' : `, ${fields}`} }\n`;
const recovery = (fields: string) => {
  const [step] = template(call(fields)).steps;
  return [step?.onFailure, step?.retry.maxAttempts];
};

describe('a step', () => {
  it.each([
    ['', 'stop', 1],
    ['retry: { max_attempts: 2 }', 'retry', 2],
    ['retry: { backoff: none }', 'retry', 3],
    ['max_retries: 4', 'retry', 5],
    ['on_failure: retry', 'retry', 3],
    ['retry: { max_attempts: 2 }, on_verification_failure: retry, verification: (some? data/result)', 'retry', 2],
    ['retry: { max_attempts: 2 }, critical: false', 'retry', 2],
    ['retry: { max_attempts: 1 }, on_failure: stop', 'stop', 1],
  ])('with "%s" does %s, in %d attempts', (fields, onFailure, attempts) => {
    expect(findings(call(fields))).toEqual([]);
    expect(recovery(fields)).toEqual([onFailure, attempts]);
  });

  it('is reported when its retries contradict its on_failure', () => {
    expect(findings(call('retry: { max_attempts: 3 }, on_failure: stop'))).toEqual([
      'RETRY_CONTRADICTED steps.0.on_failure',
    ]);
    expect(findings(call('max_retries: 1, on_failure: skip'))).toEqual(['RETRY_CONTRADICTED steps.0.on_failure']);
  });

  it('may stop at a failure and retry a failed verification', () => {
    const fields =
      'max_retries: 1, on_failure: stop, on_verification_failure: retry, verification: (some? data/result)';
    expect(findings(call(fields))).toEqual([]);
    expect(recovery(fields)).toEqual(['stop', 2]);
  });

  it('counts attempts by max_attempts when it plans, and delays them by retry', () => {
    const plan =
      '  - { name: p, type: planning, planner: { kind: lisp, source: "{:steps []}" }, convergence_target: end, retry: { base: 5s } }\n  - { name: end, type: deferred, after: p }\n';
    expect(findings(plan)).toEqual([]);
    expect(template(plan).steps[0]).toMatchObject({ onFailure: 'stop', retry: { base: 5_000 } });
  });

  it('under do of a fan-out has its own retries', () => {
    const map =
      '  - { name: m, type: fan_out, for_each: [1], do: { handler: files.list, input: { folder: . }, max_retries: 1 } }\n';
    expect(template(map).steps[0]?.fanOut?.do).toMatchObject({ onFailure: 'retry', retry: { maxAttempts: 2 } });
  });
});
