// Second check of a result: the step's predicate over its input, its result and its dependencies.
import { type Failure, failure } from '../../base/failure.ts';
import { defined, type Json } from '../../base/json.ts';
import { compileCached } from '../../lisp/compile-cached.ts';
import { judgePredicate } from '../../lisp/judge-predicate.ts';
import { run } from '../../lisp/run.ts';
import type { Batch } from '../state/batch.ts';
import type { Step } from '../state/state.ts';
import { dependsOf } from './bindings.ts';

export type Verification =
  | { readonly type: 'none' }
  | { readonly type: 'passed' }
  | { readonly type: 'failed'; readonly diagnosis: string }
  /** The predicate cannot be evaluated, so running the step again would not help. */
  | { readonly type: 'error'; readonly failure: Failure };

const names = ['input', 'result', 'depends'];

export function verify(batch: Batch, step: Step, input: Json, result: Json): Verification {
  const { verification } = step.spec;
  if (verification === undefined) return { type: 'none' };
  const compiled = compileCached(verification.$lisp, {
    aliases: names,
    bindings: names,
    ...defined({ place: verification.place }),
  });
  if (!compiled.ok) {
    return verificationError(compiled.error.map(({ message }) => message).join('; '));
  }
  const data = { input, result, depends: dependsOf(batch, step) };
  const verdict = judgePredicate(run(compiled.value, data, { limits: batch.state.template.limits.lisp }));
  if ('error' in verdict) return verificationError(verdict.error.message);
  if (verdict.passed) return { type: 'passed' };
  return { type: 'failed', diagnosis: verdict.diagnosis ?? 'the predicate did not hold' };
}

function verificationError(message: string): Verification {
  return {
    type: 'error',
    failure: failure('VERIFICATION_ERROR', `the predicate itself fails: ${message}`, { retry: 'never' }),
  };
}
