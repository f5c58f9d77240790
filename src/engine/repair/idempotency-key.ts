// Chooses the idempotency key of a call that changes the world. A repeated call keeps its key while its outcome is unknown.
import type { Digest } from '../../base/digest.ts';
import { keysOf } from '../state/attempt-calls.ts';
import type { CallRecord } from '../state/call-record.ts';
import { isTerminal, type RunState, type Step } from '../state/state.ts';
import { replacedSteps } from './finished-calls.ts';

/** The key of an equal unfinished call from an earlier attempt or plan, or a new key. */
export function idempotencyKeyFor(state: RunState, step: Step, capability: string, input: Digest): string {
  const call = `${state.parent?.key ?? state.id}/${capability}/${input}`;
  const isAlike = (key: string): boolean => key.startsWith(`${call}/`);
  const made = new Set(step.calls.map(({ key }) => key));
  const own = step.leftCalls.find(({ key = '' }) => isAlike(key) && !made.has(key));
  return own?.key ?? leftBefore(state, step, isAlike) ?? `${call}/${(state.occurrences.get(call) ?? 0) + 1}`;
}

/** The calls of earlier attempts and plans that changed the world and brought a result. */
export function callsOfEarlierAttempts(state: RunState, step: Step): readonly CallRecord[] {
  const before = replacedSteps(state, step).flatMap(({ calls, leftCalls }) => [...calls, ...leftCalls]);
  return [...step.leftCalls, ...before].filter(
    ({ key, outcome }) => key !== undefined && outcome !== undefined && 'value' in outcome,
  );
}

function leftBefore(state: RunState, step: Step, isAlike: (key: string) => boolean): string | undefined {
  const left = replacedSteps(state, step).filter((each) => !isInUse(each));
  const keys = left.flatMap(keysOf).filter(isAlike);
  return keys.find((key) => !isHeldBySome(state, key));
}

function isHeldBySome(state: RunState, key: string): boolean {
  return state.steps.values().some((each) => isInUse(each) && keysOf(each).includes(key));
}

function isInUse(step: Step): boolean {
  return !isTerminal(step) || step.status === 'completed' || step.status === 'resolved';
}
