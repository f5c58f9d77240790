// Hands out an attempt of a step: the effect, its idempotency key and its time limit.
import { type Digest, digestOf } from '../../base/digest.ts';
import { defined, type Json } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import { account, accountChain } from '../../budget/ledger.ts';
import { isMutating } from '../../contract/declaration.ts';
import type { Attachment } from '../../template/keys/attachment.ts';
import { environmentNamesOf } from '../packet/environment-names.ts';
import type { CallCapability } from '../record/effect.ts';
import { idempotencyKeyFor } from '../repair/idempotency-key.ts';
import { isAtMostOnce } from '../state/at-most-once.ts';
import type { Batch } from '../state/batch.ts';
import { childTemplateOf } from '../state/child-run.ts';
import { timeLeft } from '../state/deadline.ts';
import { childRunLimit } from '../state/reservation.ts';
import { RUN_ACCOUNT, type RunState, type Step } from '../state/state.ts';
import { attachmentsOf } from '../values/attachments.ts';
import { isFixed } from '../values/call-input.ts';

/** Emits the effect for the current attempt of the step. */
export function handOut(batch: Batch, step: Step, capability: string, input: Json): void {
  const surroundings = environmentNamesOf(batch.state, step);
  const terms = childRunTerms(batch, step, capability);
  batch.effects.push({
    ...attemptFacts(batch, step),
    type: 'call-capability',
    input,
    capability,
    ...terms,
    // A child run ends by its own clock, and at the latest with its parent.
    ...defined({ timeout: terms.child === undefined ? undefined : Math.max(1, wholeTimeLeft(batch)) }),
    ...onceMark(batch.state, step, capability),
    ...registeredMark(batch.state, capability),
    ...defined({ feedback: step.feedback }),
    ...(surroundings.length === 0 ? {} : { surroundings }),
    ...attachmentsFor(batch, step),
  });
}

/** The share of the remaining time that a child run gets, so that it can end and report its use before it is cut off. */
const SHARE = 0.99;

/** The budget and the time of a child run. Empty for other calls. */
export function childRunTerms(batch: Batch, step: Step, capability: string): Pick<CallCapability, 'child'> {
  const { state, at } = batch;
  if (step.child === undefined || childTemplateOf(state, capability) === undefined) return {};
  const isLanding = state.landing.has(step.id);
  const left = accountChain(state.ledger, step.account).map((each) => timeLeft(state, each, at, isLanding));
  const wallClock = Math.max(1, Math.min(timeoutOf(batch, step), ...left.map((each) => Math.floor(each * SHARE))));
  return { child: { run: step.child, limit: childRunLimit(step.reserved ?? {}), wallClock } };
}

function wholeTimeLeft({ state, at }: Pick<Batch, 'state' | 'at'>): Duration {
  return timeLeft(state, account(state.ledger, RUN_ACCOUNT), at, true);
}

/** Marks a call that may be made at most once. */
export function onceMark(state: RunState, step: Step, name: string): Pick<CallCapability, 'once'> {
  return isAtMostOnce(state, step, name) ? { once: true } : {};
}

/** The declaration of a capability that was defined in the run itself. */
export function registeredMark({ registered }: RunState, name: string): Pick<CallCapability, 'registered'> {
  const own = registered.get(name);
  return defined({ registered: own });
}

export function attachmentsFor(batch: Batch, step: Step): { readonly attachments?: readonly Attachment[] } {
  const attached = attachmentsOf(batch, step);
  return attached.ok && attached.value.length > 0 ? { attachments: attached.value } : {};
}

export function attemptFacts(batch: Batch, step: Step): AttemptFacts {
  return {
    step: step.id,
    attempt: step.attempt,
    delivery: step.delivery,
    key: keyOf(batch.state, step),
    timeout: timeoutOf(batch, step),
    ...(batch.state.agreed.size === 0 ? {} : { agreed: [...batch.state.agreed] }),
  };
}

interface AttemptFacts {
  readonly step: string;
  readonly attempt: number;
  readonly delivery: number;
  readonly key: string;
  readonly timeout: Duration;
  readonly agreed?: readonly Digest[];
}

function keyOf(state: RunState, step: Step): string {
  return step.key ?? `${state.id}/${step.id}#${step.attempt}`;
}

/** The remaining time of an attempt. For steps of the landing set, the deadline of the run also limits it. */
function timeoutOf({ state, at }: Batch, step: Step): Duration {
  // Earlier calls of the attempt have used a part of its timeout.
  const left = step.spec.timeout - (at - (step.begunAt ?? at));
  if (!state.landing.has(step.id)) return Math.max(1, left);
  return Math.max(1, Math.min(left, wholeTimeLeft({ state, at })));
}

/** The fields of `attempt.started` that identify the input and the call. */
interface AttemptIdentity {
  /** Digest of the input; absent if the step states its input in full and the call changes nothing. */
  readonly input?: Digest;
  /** Absent: `run/step#attempt`. */
  readonly key?: string;
}

/**
 * A call that changes the world has a key made of its content. An attempt without a known outcome is tried again under
 * the same key, so that the service can see the repetition.
 */
export function identityOf(state: RunState, step: Step, capability: string, input: Json): AttemptIdentity {
  const declaration = state.template.capabilities[capability];
  const mutates = declaration !== undefined && isMutating(declaration);
  const again = isUnknown(step.failure?.code) ? { key: keyOf(state, step) } : {};
  if (!mutates && isFixed(step)) return again;
  const digest = digestOf(input);
  const same = step.inputDigest === digest;
  if (!mutates) return { input: digest, ...(same ? again : {}) };
  if (step.key !== undefined && same) return { input: digest, key: step.key };
  return { input: digest, key: idempotencyKeyFor(state, step, capability, digest) };
}

function isUnknown(code: string | undefined): boolean {
  return code === 'STEP_TIMEOUT' || code === 'WORKER_LOST' || code === 'STEP_ABORTED';
}
