// One attempt of a step: its key, its time, and the effect that hands it out.
import { type Digest, digestOf } from '../../base/digest.ts';
import { defined, type Json } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import { account, wayUp } from '../../budget/ledger.ts';
import { isMutating } from '../../contract/declaration.ts';
import type { Attachment } from '../../template/keys/attachment.ts';
import { surroundingsOf } from '../packet/surroundings.ts';
import type { CallCapability } from '../record/effect.ts';
import { keyFor } from '../repair/left-key.ts';
import type { Batch } from '../state/batch.ts';
import { childTemplateOf } from '../state/child-run.ts';
import { timeLeft } from '../state/deadline.ts';
import { isOnceFor } from '../state/once.ts';
import { limitFrom } from '../state/set-aside.ts';
import { RUN_ACCOUNT, type RunState, type Step } from '../state/state.ts';
import { attachmentsOf } from '../values/attachments.ts';
import { isFixed } from '../values/call-input.ts';

/** Asks for the attempt that the step now stands at. */
export function handOut(batch: Batch, step: Step, capability: string, input: Json): void {
  const surroundings = surroundingsOf(batch.state, step);
  const terms = childTerms(batch, step, capability);
  batch.effects.push({
    type: 'call-capability',
    ...attemptOf(batch, step),
    ...terms,
    // A run ends by its own clock, and with this one at the latest.
    ...defined({ timeout: terms.child === undefined ? undefined : Math.max(1, wholeTimeLeft(batch)) }),
    input,
    capability,
    ...onceAs(batch.state, step, capability),
    ...registeredAs(batch.state, capability),
    ...defined({ feedback: step.feedback }),
    ...(surroundings.length === 0 ? {} : { surroundings }),
    ...attachedTo(batch, step),
  });
}

/** Of the time that is left, so that a run ends by itself, and says what it has used, before it is cut off. */
const SHARE = 0.99;

/** What a call is handed that starts a run: what is set aside for it, and the time that is left to it. */
export function childTerms(batch: Batch, step: Step, capability: string): Pick<CallCapability, 'child'> {
  const { state, at } = batch;
  if (step.child === undefined || childTemplateOf(state, capability) === undefined) return {};
  const isLanding = state.landing.has(step.id);
  const left = wayUp(state.ledger, step.account).map((each) => timeLeft(state, each, at, isLanding));
  const wallClock = Math.max(1, Math.min(timeoutOf(batch, step), ...left.map((each) => Math.floor(each * SHARE))));
  return { child: { run: step.child, limit: limitFrom(step.reserved ?? {}), wallClock } };
}

function wholeTimeLeft({ state, at }: Pick<Batch, 'state' | 'at'>): Duration {
  return timeLeft(state, account(state.ledger, RUN_ACCOUNT), at, true);
}

/** Tells whoever makes a call that it may be made at most once. */
export function onceAs(state: RunState, step: Step, name: string): Pick<CallCapability, 'once'> {
  return isOnceFor(state, step, name) ? { once: true } : {};
}

/** What a call is handed of a capability that nobody knows but the run. */
export function registeredAs({ registered }: RunState, name: string): Pick<CallCapability, 'registered'> {
  const own = registered.get(name);
  return defined({ registered: own });
}

/** What a call is handed of what its step is about. */
export function attachedTo(batch: Batch, step: Step): { readonly attachments?: readonly Attachment[] } {
  const attached = attachmentsOf(batch, step);
  return attached.ok && attached.attachments.length > 0 ? { attachments: attached.attachments } : {};
}

export function attemptOf(batch: Batch, step: Step): AttemptFacts {
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

/** The landing set has until the run's very end; everything else is cut off when its share of the time is spent. */
function timeoutOf({ state, at }: Batch, step: Step): Duration {
  // What it has asked for before has taken its share.
  const left = step.spec.timeout - (at - (step.begunAt ?? at));
  if (!state.landing.has(step.id)) return Math.max(1, left);
  return Math.max(1, Math.min(left, wholeTimeLeft({ state, at })));
}

/** What tells the next attempt from others. */
interface Identity {
  /** Of its input; absent when nothing depends on it: the input is what the step says, and the call changes nothing. */
  readonly input?: Digest;
  /** Absent: `run/step#attempt`. */
  readonly key?: string;
}

/**
 * A call that changes the world is known by what it does, and an attempt whose outcome never came is tried again under
 * the same key, so that nothing is done twice.
 */
export function identityOf(state: RunState, step: Step, capability: string, input: Json): Identity {
  const declaration = state.template.capabilities[capability];
  const mutates = declaration !== undefined && isMutating(declaration);
  const again = isUnknown(step.failure?.code) ? { key: keyOf(state, step) } : {};
  if (!mutates && isFixed(step)) return again;
  const digest = digestOf(input);
  const same = step.inputDigest === digest;
  if (!mutates) return { input: digest, ...(same ? again : {}) };
  if (step.key !== undefined && same) return { input: digest, key: step.key };
  return { input: digest, key: keyFor(state, step, capability, digest) };
}

function isUnknown(code: string | undefined): boolean {
  return code === 'STEP_TIMEOUT' || code === 'WORKER_LOST' || code === 'STEP_ABORTED';
}
