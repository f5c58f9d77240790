// A human_review step: a person's decision is its result.
import { present } from '../../base/fault.ts';
import { defaultDecision } from '../../template/step-defaults.ts';
import { openGate } from '../gates/open-gate.ts';
import { type Batch, emit } from '../state/batch.ts';
import type { Step } from '../state/state.ts';
import { dependsOf } from '../values/bindings.ts';
import { resolveText } from '../values/resolve-value.ts';
import { failWithoutRetry } from './complete-step.ts';

/** Starts an attempt. After a decision that fails the predicate, a retry asks again. */
export function askForReview(batch: Batch, step: Step): void {
  const spec = present(step.spec.gate, `gate of ${step.id}`);
  const prompt = resolveText(batch, step, spec.prompt);
  if (!prompt.ok) return failWithoutRetry(batch, step, prompt.error);
  emit(batch, step.since, { type: 'attempt.started', step: step.id, attempt: step.attempt + 1 });
  openGate(batch, step, step.since, {
    kind: 'review',
    prompt: prompt.value,
    context: { depends: dependsOf(batch, step) },
    decision: spec.decision ?? defaultDecision,
    expiresIn: spec.expiresIn,
    onExpiry: spec.onExpiry,
  });
}
