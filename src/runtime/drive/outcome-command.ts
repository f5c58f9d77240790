// Turns the outcome of an effect into the command that records it.

import { failure } from '../../base/failure.ts';
import { defined } from '../../base/json.ts';
import { durationText, type Instant } from '../../base/quantity.ts';
import { bad } from '../../base/result.ts';
import type { Command, EffectOutcome } from '../../engine/record/command.ts';
import type { Work, WorkOutcome } from '../ports/work.ts';

interface SettleContext {
  /** The time limit of the work has passed. */
  readonly timedOut: boolean;
  readonly at: Instant;
  /** From 0 to 1. */
  readonly chance: () => number;
}

/** Undefined for work that was left for the next driver of the run. */
export function commandOf(
  work: Work,
  performed: WorkOutcome,
  { timedOut, at, chance }: SettleContext,
): Command | undefined {
  const { step, attempt, delivery, input } = work;
  const which = { at, step, attempt, delivery };
  if ('left' in performed) return undefined;
  const call = work.type === 'ask-planner' ? undefined : work.call;
  if ('unbegun' in performed) return { type: 'take-back', ...which, ...defined({ call }) };
  if ('suspended' in performed) return { type: 'suspend', ...which, ...performed.suspended };
  if ('asks' in performed && !timedOut) return { type: 'call', ...which, call: performed.asks };
  const outcome: EffectOutcome = 'asks' in performed ? timeoutOf(work) : performed;
  return {
    type: 'settle',
    ...which,
    ...defined({ call }),
    input,
    outcome: timedOut && !outcome.ok ? { ...timeoutOf(work), ...defined({ bill: outcome.bill }) } : outcome,
    chance: chance(),
  };
}

function timeoutOf({ timeout }: Work): EffectOutcome {
  return bad(failure('STEP_TIMEOUT', `no answer within ${durationText(timeout)}`));
}

/** Whether work that has not begun is taken back at a stop. A planner is pure and makes its calls through the driver, and a child run is stopped by its own driver. */
export function mayBeTakenBack(work: Work): boolean {
  return work.type !== 'ask-planner' && !(work.type === 'call-capability' && work.child !== undefined);
}
