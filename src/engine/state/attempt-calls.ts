// Keeps the calls of an attempt in the state: their outcomes, and the keys of calls that changed the world.
import { type Amount, nothing, plus } from '../../budget/amount.ts';
import { charge, release, reserve } from '../../budget/ledger.ts';
import { CALL_NOT_MADE, isToCriticise, isToSumUp } from '../record/call.ts';
import type { EventOf } from '../record/event.schema.ts';
import type { CallRecord } from './call-record.ts';
import { settle } from './move-step.ts';
import { type RunState, type Step, stepOf } from './state.ts';

const NONE: readonly never[] = Object.freeze([]);

export function startCall(state: RunState, event: EventOf<'call.started'>): void {
  const { step: id, call, kind, name, purpose, request, key, reserved, child } = event;
  const step = stepOf(state, id);
  const { attempt, delivery } = step;
  const others = callsUnderWay(step);
  // The attempt pays for its calls only.
  if (others.length === 0) settle(state, step);
  step.reserved = sumOf(others, reserved);
  if (child !== undefined) step.child = child;
  if (reserved !== undefined) reserve(state.ledger, step.account, reserved);
  if (key !== undefined) countOccurrence(state, key);
  const begun = { kind, name, purpose, request, key, attempt, delivery, reserved, outcome: undefined };
  step.calls = [...step.calls.slice(0, call - 1), begun, ...step.calls.slice(call)];
}

export function endCall(state: RunState, { step: id, call, value, failure, bill }: EventOf<'call.ended'>): void {
  const step = stepOf(state, id);
  const record = step.calls[call - 1];
  const others = callsUnderWay(step).filter((each) => each !== record);
  if (others.length === 0) settle(state, step, bill);
  else {
    if (record?.reserved !== undefined) release(state.ledger, step.account, record.reserved);
    charge(state.ledger, step.account, bill ?? nothing);
    step.reserved = sumOf(others);
  }
  if (record === undefined) return;
  if (failure?.code === CALL_NOT_MADE) {
    const later = step.calls.slice(call);
    const kept = later.length === 0 ? [] : [{ ...record, delivery: 0, reserved: undefined }];
    step.calls = [...step.calls.slice(0, call - 1), ...kept, ...later];
    return;
  }
  if (value !== undefined) record.outcome = { value };
  else if (failure !== undefined) record.outcome = { failure };
  if (isFailedAsk(record)) step.failedTries += 1;
}

/** Failures that say nothing about the model: it refused a feature, which is left out next, or the run stopped the request. */
const notOfModel: ReadonlySet<string> = new Set(['MODEL_FORMAT_UNSUPPORTED', 'MODEL_ABORTED']);

/** Whether the call is a request to a model that failed, and so is one of the failed tries of its step. */
export function isFailedAsk({ kind, outcome }: Pick<CallRecord, 'kind' | 'outcome'>): boolean {
  if ((kind !== 'model' && kind !== 'embeddings') || outcome === undefined || !('failure' in outcome)) return false;
  const { code } = outcome.failure;
  return code.startsWith('MODEL_') && !notOfModel.has(code);
}

/** Counts an attempt that another one may follow. An attempt that failed with its last request is counted already. */
export function countFailedAttempt(step: Step): void {
  const last = step.calls.at(-1);
  if (last === undefined || !isFailedAsk(last)) step.failedTries += 1;
}

/** The calls that a performer has. Calls of an earlier delivery are lost, and no performer has them any more. */
export function callsUnderWay({ calls, attempt, delivery, status }: Step): readonly CallRecord[] {
  if (status !== 'running') return NONE;
  const underWay = calls.filter(
    (call) => call.outcome === undefined && call.attempt === attempt && call.delivery === delivery,
  );
  return underWay.length === 0 ? NONE : underWay;
}

/** Undefined if nothing is reserved. */
function sumOf(calls: readonly CallRecord[], more?: Amount): Amount | undefined {
  const reserved = [...calls.map((call) => call.reserved), more].filter((each) => each !== undefined);
  return reserved.length === 0 ? undefined : reserved.reduce(plus);
}

/**
 * Forgets the calls of an attempt, except summaries, which still hold, and the keys of calls that changed the world.
 */
export function forgetCalls(step: Step): void {
  const left = step.calls.filter(({ key }) => key !== undefined);
  if (left.length > 0) step.leftCalls = [...step.leftCalls, ...left];
  const lasting = step.calls.filter((call) => isToSumUp(call) && call.outcome !== undefined);
  step.calls = lasting.length === 0 ? NONE : lasting;
}

/** Forgets the critic's calls: a planner that is asked again proposes another plan. */
export function forgetCritic(step: Step): void {
  if (step.calls.some(isToCriticise)) step.calls = step.calls.filter((call) => !isToCriticise(call));
}

/** The keys of all calls of a step that changed the world, or tried to. */
export function keysOf({ key, calls, leftCalls }: Step): readonly string[] {
  return [...(key === undefined ? [] : [key]), ...[...calls, ...leftCalls].flatMap((each) => each.key ?? [])];
}

/** Counts a call that changes the world. Its key ends with how often the same call was made; other keys are ignored. */
export function countOccurrence({ occurrences }: RunState, key: string): void {
  const end = key.lastIndexOf('/');
  const call = key.slice(0, end);
  const count = Number(key.slice(end + 1));
  if (Number.isInteger(count)) occurrences.set(call, Math.max(occurrences.get(call) ?? 0, count));
}
