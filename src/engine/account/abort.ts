// Has what is under way of a step stopped: its attempt, or the run that it has started and waits for.

import { defined } from '../../base/json.ts';
import type { Effect } from '../record/effect.ts';
import type { Batch } from '../state/batch.ts';
import { childGateOf, childUnderWay } from '../state/child-run.ts';
import type { RunState, Step } from '../state/state.ts';

export type Why = Extract<Effect, { type: 'abort' }>['why'];

/** To be called before it ends. */
export function abort({ state, effects }: Batch, step: Step, why: Why): void {
  if (!isUnderWay(state, step)) return;
  const child = childUnderWay(state, step);
  effects.push({ type: 'abort', step: step.id, why, ...defined({ child }) });
}

/** A run goes on existing while it waits. */
export function isUnderWay(state: RunState, step: Step): boolean {
  return step.status === 'running' || childGateOf(state, step) !== undefined;
}
