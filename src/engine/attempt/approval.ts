// Approval: a person must agree before a call is made, or before a model sees sensitive values.
import { counted } from '../../base/counted.ts';
import { digestOf } from '../../base/digest.ts';
import { type Failure, failure } from '../../base/failure.ts';
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import { type Approval, approvalFor, type CallOrigin } from '../../contract/effects-policy.ts';
import type { GateDecision } from '../gates/gate-answers.ts';
import { openGate, releaseHeld } from '../gates/open-gate.ts';
import { effectsPolicyOf } from '../queries/effects-policy.ts';
import type { Call } from '../record/call.ts';
import type { CallFacts } from '../record/gate-events.schema.ts';
import { type Batch, emit } from '../state/batch.ts';
import { grantCovers, isAgreedTo, isApproved, keyOfCall } from '../state/grants.ts';
import { type Gate, type RunState, type Step, stepOf } from '../state/state.ts';
import { evaluate, resolveText } from '../values/resolve-value.ts';
import { sensitivePlaces } from '../values/sensitive-values.ts';
import { failWithoutRetry } from './complete-step.ts';

const FREE: Approval = { verdict: 'free' };

/**
 * Whether the step's own `approval` or the effects policy asks a person before the first attempt. Nobody is asked again
 * about calls like one that was agreed to. A condition that cannot be evaluated counts as true.
 */
export function wantsApproval(batch: Batch, step: Step, capability: string): boolean {
  if (step.people?.approved !== undefined || step.attempt > 0) return false;
  const policy = approvalOf(batch.state, step, capability);
  if (!isSaid(batch, step) && policy.verdict === 'free') return false;
  return isEach(policy) || !isAgreedTo(batch.state, step, capability);
}

/** Whether the policy asks about every call, also when a grant covers it. */
function isEach(policy: Approval): boolean {
  return policy.verdict === 'ask' && policy.each;
}

/** The verdict of the effects policy on a call. The `approval` of an authored step takes precedence. */
function approvalOf(state: RunState, step: Step, capability: string, by?: CallOrigin): Approval {
  const { approval, approved } = step.spec;
  if (by === undefined && step.provenance === undefined && (approval !== undefined || approved)) return FREE;
  const { capabilities } = state.template;
  const declaration = Object.hasOwn(capabilities, capability) ? capabilities[capability] : undefined;
  const origin = by ?? (step.provenance === undefined ? 'authored' : 'grafted');
  return declaration === undefined ? FREE : approvalFor(declaration, effectsPolicyOf(state, step), origin);
}

function isSaid(batch: Batch, step: Step): boolean {
  const { approval } = step.spec;
  if (approval?.when === undefined) return approval !== undefined;
  const wanted = evaluate(batch, step, approval.when);
  return !wanted.ok || (wanted.value !== null && wanted.value !== false);
}

/** Opens the gate. A gate of the policy has its own prompt and never expires into an approval, so that no plan can loosen the policy. */
export function askForApproval(batch: Batch, step: Step, capability: string, input: Json): void {
  const policy = approvalOf(batch.state, step, capability);
  if (policy.verdict === 'ask') {
    const prompt = `Step "${step.id}" wants to call ${capability}, ${whatItDoes(policy)}. May it?`;
    const { expiresIn, onExpiry } = step.spec.approval ?? {};
    const expiry = { expiresIn, onExpiry: onExpiry === 'approve' ? 'fail' : onExpiry } as const;
    open(batch, step, capability, input, { prompt, each: isEach(policy), ...expiry });
    return;
  }
  const { approval = { onExpiry: 'fail' } } = step.spec;
  const prompt = resolveText(batch, step, approval.prompt ?? `Step "${step.id}" wants to call ${capability}. May it?`);
  if (!prompt.ok) return failWithoutRetry(batch, step, prompt.error);
  open(batch, step, capability, input, { ...approval, prompt: prompt.value });
}

/** Whether an agent's call needs approval and the step is now held for it. Naming an agent approves none of its calls. */
export function isHeldForApproval(batch: Batch, step: Step, capability: string, input: Json): boolean {
  const policy = approvalOf(batch.state, step, capability, 'agent');
  if (policy.verdict !== 'ask') return false;
  if (!isEach(policy) && isAgreedTo(batch.state, step, capability)) return false;
  if (isApproved(batch.state, step, { capability, input: digestOf(input) })) return false;
  const prompt = `The agent of step "${step.id}" wants to call ${capability}, ${whatItDoes(policy)}. May it?`;
  open(batch, step, capability, input, { prompt, each: isEach(policy) });
  return true;
}

function whatItDoes({ effects, each }: Extract<Approval, { readonly verdict: 'ask' }>): string {
  return each ? 'which may delete or overwrite something' : `whose effect is ${effects.join(' and ')}`;
}

/** The failure of a call that a person has already rejected, so that no person is asked twice. */
export function earlierRejection({ state }: Batch, step: Step, capability: string, input: Json): Failure | undefined {
  const refused = state.refused.get(keyOfCall(step, { capability, input: digestOf(input) }));
  return refused === undefined ? undefined : rejectionFailure(refused.gate, refused);
}

/** The failure of a call or a step that a person rejected. */
export function rejectionFailure(gate: string, { by, why }: Pick<GateDecision, 'by' | 'why'>): Failure {
  const reason = why === undefined ? '' : `: ${why}`;
  return failure('GATE_REJECTED', `${by} rejected gate ${gate}${reason}`);
}

type ApprovalQuestion = { readonly prompt: string; readonly each?: boolean } & Pick<
  Parameters<typeof openGate>[3],
  'expiresIn' | 'onExpiry'
>;

function open(batch: Batch, step: Step, capability: string, input: Json, asked: ApprovalQuestion): void {
  const { prompt, each, expiresIn, onExpiry } = asked;
  const call: CallFacts = { capability, input: digestOf(input), ...(each === true ? { each } : {}) };
  openGate(batch, step, step.since, {
    kind: 'approval',
    prompt,
    context: { capability, ...serverOf(batch.state, capability), input },
    call,
    expiresIn,
    onExpiry,
  });
}

/** The server that a tool belongs to, and the name that the server gives it. */
export function serverOf({ template: { capabilities } }: RunState, name: string): JsonObject {
  const { origin } = (Object.hasOwn(capabilities, name) ? capabilities[name] : undefined) ?? {};
  return defined({ server: origin?.server, tool: origin?.tool });
}

/** Stands in grants where an approval of a call names its capability. */
const SHOW_TO_MODEL = 'llm_prompt';

/**
 * Whether the model would see values that a contract calls sensitive, and the step is now held until a person agrees. A
 * person is asked once for the same values, and never where the policy allows the effect `llm`.
 */
export function isHeldForSensitiveValues(batch: Batch, step: Step, call: Call): boolean {
  const { state } = batch;
  if (call.kind !== 'model' || effectsPolicyOf(state, step)?.allowed.includes('llm') === true) return false;
  const places = sensitivePlaces(state, step, call.purpose);
  if (places.length === 0 || isAgreedTo(state, step, SHOW_TO_MODEL)) return false;
  const facts: CallFacts = { capability: SHOW_TO_MODEL, input: digestOf(places) };
  if (isApproved(state, step, facts)) return false;
  const { model, messages } = call.request;
  const what = places.length === 1 ? 'a sensitive value' : counted(places.length, 'sensitive value');
  openGate(batch, step, step.since, {
    kind: SHOW_TO_MODEL,
    prompt: `Step "${step.id}" wants to show the model "${model}" ${what}: ${places.join(', ')}. May it?`,
    context: { model, sensitive: places, prompt: messages.filter(({ role }) => role !== 'system').map(textOf) },
    call: facts,
  });
  return true;
}

function textOf({ role, content }: { readonly role: string; readonly content: string }): string {
  return `${role}: ${content}`;
}

/** Approves the waiting gates that a grant for several calls also covers. */
export function approveCoveredGates(batch: Batch, gate: Gate, { by, why, grant }: GateDecision): void {
  if (grant === undefined) return;
  const { state } = batch;
  for (const id of [...state.openGates]) {
    const other = state.gates.get(id);
    if (other === undefined || !grantCovers(state, gate, grant, other)) continue;
    emit(batch, stepOf(state, other.step).since, {
      type: 'gate.decided',
      gate: id,
      verdict: 'approve',
      by,
      ...defined({ why }),
    });
    releaseHeld(batch, other);
  }
}
