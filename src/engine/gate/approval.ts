// Approval: a person must agree to a call before it is made, and sees what it will be made with.
import { digestOf } from '../../base/digest.ts';
import { type Failure, failure } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import { type Approval, approvalFor, type CallOrigin } from '../../contract/effects-policy.ts';
import { type Batch, emit } from '../batch.ts';
import type { CallFacts } from '../event.ts';
import { type Gate, type RunState, type Step, stepOf } from '../state.ts';
import { fail } from '../step/complete.ts';
import { evaluate, resolveText } from '../step/resolve-value.ts';
import type { GateDecision } from './gate-answers.ts';
import { isAgreedTo, isApproved, keyOfCall, speaksFor } from './grants.ts';
import { openGate } from './open-gate.ts';
import { policyOf } from './policy.ts';

/**
 * Asked before the first attempt, by the step's own `approval` or by the effects policy, unless a person has agreed to
 * calls like this one; a condition that cannot be evaluated does not spare anyone the question.
 */
export function wantsApproval(batch: Batch, step: Step, capability: string): boolean {
  if (step.people?.approved !== undefined || step.attempt > 0) return false;
  if (!isSaid(batch, step) && approvalOf(batch.state, step, capability).verdict === 'free') return false;
  return !isAgreedTo(batch.state, step, capability);
}

/** What the effects policy says of a call that a step wants to make. */
function approvalOf(state: RunState, step: Step, capability: string, by?: CallOrigin): Approval {
  const { capabilities } = state.template;
  const declaration = Object.hasOwn(capabilities, capability) ? capabilities[capability] : undefined;
  const origin = by ?? (step.provenance === undefined ? 'authored' : 'grafted');
  return declaration === undefined ? { verdict: 'free' } : approvalFor(declaration, policyOf(state, step), origin);
}

function isSaid(batch: Batch, step: Step): boolean {
  const { approval } = step.spec;
  if (approval?.when === undefined) return approval !== undefined;
  const wanted = evaluate(batch, step, approval.when);
  return !wanted.ok || (wanted.value !== null && wanted.value !== false);
}

/** What the policy asks is asked in its own words: a plan neither softens the question nor answers it by waiting. */
export function askForApproval(batch: Batch, step: Step, capability: string, input: Json): void {
  const policy = approvalOf(batch.state, step, capability);
  if (policy.verdict !== 'free') {
    const prompt = `Step "${step.id}" wants to call ${capability}, whose effect is ${policy.effects.join(' and ')}. May it?`;
    const { expiresIn, onExpiry } = step.spec.approval ?? {};
    open(batch, step, capability, input, { prompt, expiresIn, onExpiry: onExpiry === 'approve' ? 'fail' : onExpiry });
    return;
  }
  const { approval = { onExpiry: 'fail' } } = step.spec;
  const prompt = resolveText(batch, step, approval.prompt ?? `Step "${step.id}" wants to call ${capability}. May it?`);
  if (!prompt.ok) return fail(batch, step, prompt.failure);
  open(batch, step, capability, input, { ...approval, prompt: prompt.value });
}

/** Whether what an agent thought of is asked about first, and the step now held for it; nobody has approved of it by naming the agent. */
export function isHeldForApproval(batch: Batch, step: Step, capability: string, input: Json): boolean {
  const policy = approvalOf(batch.state, step, capability, 'agent');
  if (policy.verdict === 'free' || isAgreedTo(batch.state, step, capability)) return false;
  if (isApproved(batch.state, step, { capability, input: digestOf(input) })) return false;
  const prompt = `The agent of step "${step.id}" wants to call ${capability}, whose effect is ${policy.effects.join(' and ')}. May it?`;
  open(batch, step, capability, input, { prompt });
  return true;
}

/** What a person has said no to already, for an agent that wants it once more: nobody is asked the same thing twice. */
export function refusalOfCall({ state }: Batch, step: Step, capability: string, input: Json): Failure | undefined {
  const refused = state.refused.get(keyOfCall(step, { capability, input: digestOf(input) }));
  return refused === undefined ? undefined : rejectionAt(refused.gate, refused);
}

/** How a call or a step ends that a person does not want. */
export function rejectionAt(gate: string, { by, why }: Pick<GateDecision, 'by' | 'why'>): Failure {
  const reason = why === undefined ? '' : `: ${why}`;
  return failure('GATE_REJECTED', `${by} rejected gate ${gate}${reason}`);
}

type Asked = { readonly prompt: string } & Pick<Parameters<typeof openGate>[3], 'expiresIn' | 'onExpiry'>;

function open(batch: Batch, step: Step, capability: string, input: Json, { prompt, expiresIn, onExpiry }: Asked): void {
  const call: CallFacts = { capability, input: digestOf(input) };
  openGate(batch, step, step.since, {
    kind: 'approval',
    prompt,
    context: { capability, input },
    call,
    expiresIn,
    onExpiry,
  });
}

/** Whoever agrees to more than one call has answered for those that wait already. */
export function agreeToOthers(batch: Batch, gate: Gate, { by, why, grant }: GateDecision): void {
  if (grant === undefined) return;
  const { state } = batch;
  for (const id of [...state.openGates]) {
    const other = state.gates.get(id);
    if (other === undefined || !speaksFor(state, gate, grant, other)) continue;
    emit(batch, stepOf(state, other.step).since, {
      type: 'gate.decided',
      gate: id,
      verdict: 'approve',
      by,
      ...(why === undefined ? {} : { why }),
    });
    emit(batch, state.version, { type: 'steps.released', steps: [...other.holds] });
  }
}
