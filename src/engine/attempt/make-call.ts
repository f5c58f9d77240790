// Makes a call of an attempt: pays for it, records it and hands it out, and later records its outcome.
import { type Digest, digestOf, digestOfText } from '../../base/digest.ts';
import { defined, type Json } from '../../base/json.ts';
import { type Amount, nothing } from '../../budget/amount.ts';
import { isMutating } from '../../contract/declaration.ts';
import type { ModelServer } from '../../model/model-server.ts';
import { modelNamed } from '../../template/model-use.ts';
import { type Affordability, affordAmount } from '../account/afford.ts';
import { priceCall } from '../account/price-call.ts';
import { lookUpResult } from '../packet/look-up-result.ts';
import type { Call, CallOutcome } from '../record/call.ts';
import type { CallCapability } from '../record/effect.ts';
import { callsOfEarlierAttempts, idempotencyKeyFor } from '../repair/idempotency-key.ts';
import { isAtMostOnce } from '../state/at-most-once.ts';
import { type Batch, emit, paid, store } from '../state/batch.ts';
import { childFor, childUnderWay } from '../state/child-run.ts';
import type { RunState, Step } from '../state/state.ts';
import { outcomesOf } from './call-outcomes.ts';
import { attachmentsFor, attemptFacts, childRunTerms, onceMark, registeredMark } from './hand-out.ts';

/** `answered`: the call needed no performer, and its outcome is recorded. */
export type CallStart = Affordability | 'answered';

/**
 * Makes the call of this number, or repeats the call that a lost delivery had begun. `held` also when the driver stops: the
 * next driver makes the call.
 */
export function makeCall(batch: Batch, step: Step, asked: Call, number = nextCallNumber(step)): CallStart {
  if (asked.kind === 'capability' && childUnderWay(batch.state, step) !== undefined) {
    handOut(batch, step, asked, number);
    return 'yes';
  }
  const { call, amount, tooLong } = priceCall(batch, step, asked);
  const known = call.kind === 'look_up' ? lookUpResult(batch, step, call.request) : tooLong;
  if (known !== undefined) {
    answerCall(batch, step, call, known, number);
    return 'answered';
  }
  const key = keyOf(batch.state, step, call, number);
  const done = call.kind === 'capability' && key !== undefined ? doneBefore(batch, step, call.name, key) : undefined;
  if (done !== undefined) {
    begin(batch, step, call, { amount: nothing, key, number });
    endCall(batch, step, number, done);
    return 'answered';
  }
  if (batch.isStopping) return 'held';
  const afforded = affordAmount(batch, step, amount);
  if (afforded !== 'yes') return afforded;
  begin(batch, step, call, { amount, key, number });
  handOut(batch, step, call, number);
  return 'yes';
}

/** The result that an earlier attempt got from a call that may be made at most once. */
function doneBefore(batch: Batch, step: Step, name: string, key: string): CallOutcome | undefined {
  if (!isAtMostOnce(batch.state, step, name)) return undefined;
  const made = callsOfEarlierAttempts(batch.state, step).filter((call) => call.key === key);
  return outcomesOf(batch, made.slice(0, 1))[0];
}

/** Records a call that is not made, with an outcome in its place. */
export function answerCall(
  batch: Batch,
  step: Step,
  call: Call,
  outcome: CallOutcome,
  number = nextCallNumber(step),
): void {
  begin(batch, step, call, { amount: nothing, key: undefined, number });
  endCall(batch, step, number, outcome);
}

interface CallEnd {
  readonly bill?: Amount | undefined;
  readonly server?: ModelServer | undefined;
}

export function endCall(
  batch: Batch,
  step: Step,
  call: number,
  outcome: CallOutcome,
  { bill = nothing, server }: CallEnd = {},
): void {
  emit(batch, step.since, {
    type: 'call.ended',
    step: step.id,
    attempt: step.attempt,
    call,
    ...(outcome.ok ? { value: store(batch, outcome.value) } : { failure: outcome.error }),
    ...paid(bill),
    ...defined({ server }),
  });
}

interface CallTerms {
  readonly amount: Amount;
  readonly key: string | undefined;
  readonly number: number;
}

function begin(batch: Batch, step: Step, call: Call, { amount, key, number }: CallTerms): void {
  emit(batch, step.since, {
    type: 'call.started',
    step: step.id,
    attempt: step.attempt,
    call: number,
    kind: call.kind,
    name: nameOf(batch.state, call),
    ...(call.kind === 'model' ? { purpose: call.purpose } : {}),
    ...(call.kind === 'model' && call.prompt !== undefined ? { prompt: call.prompt } : {}),
    request: keepRequest(batch, call),
    ...(Object.keys(amount).length === 0 ? {} : { reserved: amount }),
    ...defined({ key }),
    ...(call.kind === 'capability' ? childFor(batch.state, step, call.name, step.attempt, number) : {}),
  });
}

/** The number of the first call without an outcome, from 1. A lost call keeps its number. */
export function nextCallNumber({ calls }: Step): number {
  const first = calls.findIndex(({ outcome }) => outcome === undefined);
  return (first < 0 ? calls.length : first) + 1;
}

function nameOf({ template }: RunState, call: Call): string {
  switch (call.kind) {
    case 'model':
      return modelNamed(template.models, call.request.model)?.name ?? call.request.model;
    case 'capability':
      return call.name;
    case 'embeddings':
      return template.embeddings?.model ?? 'embeddings';
    case 'look_up':
      return 'context';
    case 'files':
      return 'files';
    case 'discover':
      return call.from ?? 'servers';
  }
}

function keepRequest({ blobs }: Batch, call: Call): Digest {
  const text = JSON.stringify(contentOf(call));
  const digest = digestOfText(text);
  blobs.push({ digest, text });
  return digest;
}

function contentOf(call: Call): unknown {
  if (call.kind === 'files') return call.paths;
  if (call.kind === 'discover') return { from: call.from };
  return call.kind === 'capability' ? call.input : call.request;
}

/** A call that changes the world has a key made of its content, so that a repetition is recognized. */
function keyOf(state: RunState, step: Step, call: Call, number: number): string | undefined {
  if (call.kind !== 'capability') return undefined;
  const declaration = state.template.capabilities[call.name];
  if (declaration === undefined || !isMutating(declaration)) return undefined;
  return step.calls[number - 1]?.key ?? idempotencyKeyFor(state, step, call.name, digestOf(call.input));
}

function handOut(batch: Batch, step: Step, call: Call, number: number): void {
  const { effects, state } = batch;
  const { calls, feedback } = step;
  const key = calls[number - 1]?.key ?? `${state.id}/${step.id}#${step.attempt}.${number}`;
  const attempt = { ...attemptFacts(batch, step), key, call: number };
  switch (call.kind) {
    case 'capability':
      effects.push({
        type: 'call-capability',
        ...attempt,
        capability: call.name,
        input: call.input,
        ...(step.spec.type === 'planning' ? { plans: true as const } : {}),
        ...onceMark(state, step, call.name),
        ...registeredMark(state, call.name),
        ...childRunTerms(batch, step, call.name),
        ...defined({ feedback }),
        ...ofItsOwn(batch, step, call.name),
      });
      return;
    case 'model': {
      const { purpose, request, after } = call;
      const input: Json = null;
      effects.push({
        type: 'ask-model',
        ...attempt,
        input,
        purpose,
        request,
        ...defined({ after }),
      });
      return;
    }
    case 'embeddings': {
      const { request, after } = call;
      const later = defined({ after });
      effects.push({ type: 'ask-embeddings', ...attempt, input: null, request, ...later });
      return;
    }
    case 'files':
      effects.push({ type: 'find-files', ...attempt, input: null, paths: call.paths });
      return;
    case 'discover': {
      const { from } = call;
      effects.push({ type: 'discover-tools', ...attempt, input: null, ...defined({ from }) });
      return;
    }
    case 'look_up':
      return;
  }
}

/** Only the capability that the step names gets the attachments; the tools of an agent get none. */
function ofItsOwn(batch: Batch, step: Step, name: string): Partial<Pick<CallCapability, 'attachments'>> {
  return step.spec.capability === name ? attachmentsFor(batch, step) : {};
}
