// Tells whether a run would refuse an order, without changing the run.
import { unreachable } from '../../base/fault.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { estimateTokens } from '../../context/tokens.ts';
import { refuseResolve } from '../attempt/resolve-step.ts';
import type { Command, CommandOf } from '../record/command.ts';
import type { LoadedValues } from '../record/stored-value.ts';
import { newBatch } from '../state/batch.ts';
import type { RunState } from '../state/state.ts';
import { refuseAnswer } from './answer-gate.ts';
import { refusePause } from './pause-and-cancel.ts';
import { refuseRaise } from './raise-budget.ts';
import { refuseRetry } from './retry-step.ts';

type Order = CommandOf<'pause' | 'resume' | 'cancel' | 'review' | 'resolve-step' | 'retry-step' | 'raise-budget'>;

/** `decide` refuses an order for the same reasons. `values` holds the blobs that `valuesToLoad` lists. */
export function refuseOrder(state: RunState, order: Order, values: LoadedValues): Issue | undefined {
  const refused = refuseByStatus(state, order);
  if (refused !== undefined) return refused;
  switch (order.type) {
    case 'resume':
    case 'cancel':
      return undefined;
    case 'pause':
      return refusePause(state);
    case 'review':
      return refuseAnswer(newBatch(state, order, values, estimateTokens), order);
    case 'resolve-step':
      return refuseResolve(state, order);
    case 'retry-step':
      return refuseRetry(state, order);
    case 'raise-budget':
      return refuseRaise(newBatch(state, order, values, estimateTokens), order);
    default:
      return unreachable(order);
  }
}

/** Commands of the driver, which may come too late or twice without harm. */
const unrefused: ReadonlySet<Command['type']> = new Set([
  'start-run',
  'attach',
  'settle',
  'call',
  'start-step',
  'suspend',
  'wake',
]);

export function refuseByStatus({ status, id }: RunState, { type }: Command): Issue | undefined {
  if (unrefused.has(type)) return undefined;
  if (status === 'ended')
    return issue('RUN_ENDED', `run ${id} has ended`, { hint: `see how with: reconverge show ${id}` });
  const isOver = status === 'cancelling' && type !== 'finish' && type !== 'expire';
  return isOver ? issue('RUN_NOT_RUNNING', `run ${id} is being cancelled`) : undefined;
}
