// Approval: a person must agree to a call before it is made, and sees what it will be made with.
import type { Json } from '../../base/json.ts';
import type { Batch } from '../batch.ts';
import type { Step } from '../state.ts';
import { evaluate, resolveText } from '../step/resolve-value.ts';
import { fail } from '../step/settle.ts';
import { openGate } from './open-gate.ts';

/** Asked before the first attempt; a condition that cannot be evaluated does not spare anyone the question. */
export function wantsApproval(batch: Batch, step: Step): boolean {
  const { approval } = step.spec;
  if (approval === undefined || step.people?.approved !== undefined || step.attempt > 0) return false;
  if (approval.when === undefined) return true;
  const wanted = evaluate(batch, step, approval.when);
  return !wanted.ok || (wanted.value !== null && wanted.value !== false);
}

export function askForApproval(batch: Batch, step: Step, capability: string, input: Json): void {
  const { approval } = step.spec;
  if (approval === undefined) return;
  const prompt = resolveText(batch, step, approval.prompt ?? `Step "${step.id}" wants to call ${capability}. May it?`);
  if (!prompt.ok) return fail(batch, step, prompt.failure);
  const { expiresIn, onExpiry } = approval;
  openGate(batch, step, step.since, {
    kind: 'approval',
    prompt: prompt.value,
    context: { capability, input },
    expiresIn,
    onExpiry,
  });
}
