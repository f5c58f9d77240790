// The key of a call that a plan made and did not bring to an end: the repair that makes the same call again makes it under the same key.

import { isTerminal, type RunState, type Step } from '../state.ts';
import { stepsBefore } from './finished-calls.ts';

/** `call`: what the key begins with, which says what is called with what. */
export function leftKey(state: RunState, step: Step, call: string): string | undefined {
  const left = stepsBefore(state, step).filter((each) => each.key?.startsWith(`${call}/`) === true && !isInUse(each));
  const free = left.find(({ key }) => !isHeldBySome(state, key));
  return free?.key;
}

function isHeldBySome(state: RunState, key: string | undefined): boolean {
  return state.steps.values().some((each) => each.key === key && isInUse(each));
}

function isInUse(step: Step): boolean {
  return !isTerminal(step) || step.status === 'completed' || step.status === 'resolved';
}
