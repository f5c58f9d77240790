// Turns what work has brought into the command that records it.
import { failure } from '../../base/failure.ts';
import { defined } from '../../base/json.ts';
import { type Duration, durationText, type Instant } from '../../base/quantity.ts';
import type { Command, Outcome } from '../../engine/record/command.ts';
import type { Work, WorkOutcome } from '../ports/work.ts';

interface SettleContext {
  /** The time limit of the work has passed. */
  readonly timedOut: boolean;
  readonly at: Instant;
  /** From 0 to 1. */
  readonly chance: () => number;
}

/** Nothing for work that was left for the next driver of the run. */
export function commandOf(
  work: Work,
  brought: WorkOutcome,
  { timedOut, at, chance }: SettleContext,
): Command | undefined {
  const { step, attempt, delivery, input, timeout } = work;
  const which = { at, step, attempt, delivery };
  if ('left' in brought) return undefined;
  if ('suspended' in brought) return { type: 'suspend', ...which, ...brought.suspended };
  if ('asks' in brought && !timedOut) return { type: 'call', ...which, call: brought.asks };
  const outcome = 'asks' in brought ? timeoutOf(timeout) : brought;
  return {
    type: 'settle',
    ...which,
    ...defined({ call: work.type === 'ask-planner' ? undefined : work.call }),
    input,
    outcome: timedOut && !outcome.ok ? { ...timeoutOf(timeout), ...defined({ bill: outcome.bill }) } : outcome,
    chance: chance(),
  };
}

function timeoutOf(timeout: Duration): Outcome & { readonly ok: false } {
  return { ok: false, failure: failure('STEP_TIMEOUT', `no answer within ${durationText(timeout)}`) };
}
