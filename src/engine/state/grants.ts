// The grants of people: for one call of a step, or for every call of a capability by a step or by the whole run.
import type { CallFacts, Grant } from '../record/gate-events.schema.ts';
import { type Gate, type RunState, type Step, stepOf } from './state.ts';

/** Remembers an approved call, so that nobody is asked about the same call again. */
export function keepApproval(state: RunState, { step, call }: Gate): void {
  if (call !== undefined) state.grants.add(keyOfCall(stepOf(state, step), call));
}

/** Remembers an approval that covers further calls of the capability. */
export function keepGrant(state: RunState, { step, call }: Gate, grant: Grant): void {
  if (call !== undefined)
    state.grants.add(keyOf(call.capability, grant === 'step' ? ownerOf(stepOf(state, step)) : ''));
}

/** Whether exactly this call was approved. */
export function isApproved(state: RunState, step: Step, call: CallFacts): boolean {
  return state.grants.has(keyOfCall(step, call));
}

export function isAgreedTo(state: RunState, step: Step, capability: string): boolean {
  return state.grants.has(keyOf(capability, '')) || state.grants.has(keyOf(capability, ownerOf(step)));
}

/** Whether a grant at one gate also answers the question of another gate. */
export function grantCovers(state: RunState, { kind, call, step }: Gate, grant: Grant, other: Gate): boolean {
  if (other.kind !== kind || call === undefined || other.call?.capability !== call.capability) return false;
  if (other.call.each) return false;
  return grant === 'capability' || ownerOf(stepOf(state, other.step)) === ownerOf(stepOf(state, step));
}

/** The key of a call within its run: the step, the capability and its input. */
export function keyOfCall({ id }: Step, { capability, input }: CallFacts): string {
  return `${capability} ${id} ${input}`;
}

/** A grant for one item of a fan-out covers all its items. */
function ownerOf({ id, item }: Step): string {
  return item?.of ?? id;
}

function keyOf(capability: string, step: string): string {
  return `${capability} ${step}`;
}
