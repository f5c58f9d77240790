// What people have agreed to beyond one call: every call of a capability by a step, or by anyone in the run.
import type { Grant } from '../event.ts';
import { type Gate, type RunState, type Step, stepOf } from '../state.ts';

/** To be called when an approval is given for more than its own call. */
export function keepGrant(state: RunState, { step, call }: Gate, grant: Grant): void {
  if (call !== undefined)
    state.grants.add(keyOf(call.capability, grant === 'step' ? ownerOf(stepOf(state, step)) : ''));
}

export function isAgreedTo(state: RunState, step: Step, capability: string): boolean {
  return state.grants.has(keyOf(capability, '')) || state.grants.has(keyOf(capability, ownerOf(step)));
}

/** Whether what was agreed to at one gate covers what is asked at another. */
export function speaksFor(state: RunState, { call, step }: Gate, grant: Grant, other: Gate): boolean {
  if (other.kind !== 'approval' || call === undefined || other.call?.capability !== call.capability) return false;
  return grant === 'capability' || ownerOf(stepOf(state, other.step)) === ownerOf(stepOf(state, step));
}

/** The items of a fan-out are one step to whoever agrees. */
function ownerOf({ id, item }: Step): string {
  return item?.of ?? id;
}

function keyOf(capability: string, step: string): string {
  return `${capability} ${step}`;
}
