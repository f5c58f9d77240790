// Keeps the calls of an attempt in the state: their outcomes, and the keys of calls that changed the world.
import { reserve } from '../../budget/ledger.ts';
import { CALL_NOT_MADE, isToCriticise, isToSumUp } from '../record/call.ts';
import type { EventOf } from '../record/event.schema.ts';
import { settle } from './move-step.ts';
import { type RunState, type Step, stepOf } from './state.ts';

const NONE: readonly never[] = Object.freeze([]);

export function startCall(state: RunState, event: EventOf<'call.started'>): void {
  const { step: id, call, kind, name, purpose, request, key, reserved, child } = event;
  const step = stepOf(state, id);
  settle(state, step);
  step.reserved = reserved;
  if (child !== undefined) step.child = child;
  if (reserved !== undefined) reserve(state.ledger, step.account, reserved);
  if (key !== undefined) countOccurrence(state, key);
  step.calls = [...step.calls.slice(0, call - 1), { kind, name, purpose, request, key, outcome: undefined }];
}

export function endCall(state: RunState, { step: id, call, value, failure, bill }: EventOf<'call.ended'>): void {
  const step = stepOf(state, id);
  settle(state, step, bill);
  const record = step.calls[call - 1];
  if (record === undefined) return;
  if (failure?.code === CALL_NOT_MADE) {
    step.calls = step.calls.slice(0, call - 1);
    return;
  }
  if (value !== undefined) record.outcome = { value };
  else if (failure !== undefined) record.outcome = { failure };
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
