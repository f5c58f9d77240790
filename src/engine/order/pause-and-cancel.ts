// Orders about a run: pause, resume, cancel. Each is recorded with its author and reason.

import { type Issue, issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import type { CommandOf } from '../record/command.ts';
import type { Order } from '../record/event-parts.schema.ts';
import { abortAttempt } from '../state/abort-attempt.ts';
import { authorOf, type Batch, emit } from '../state/batch.ts';
import { isTerminal, type RunState } from '../state/state.ts';

export function pause(batch: Batch, command: CommandOf<'pause' | 'resume'>): Issue | undefined {
  const refused = refusePause(batch.state);
  if (refused === undefined) emit(batch, 0, { type: 'run.paused', ...authorOf(command) });
  return refused;
}

export function refusePause({ id, status }: RunState): Issue | undefined {
  if (status === 'running') return undefined;
  return issue('RUN_NOT_RUNNING', `run ${id} is ${status}`, { hint: 'pause only running runs' });
}

export function resume(batch: Batch, command: CommandOf<'pause' | 'resume'>): Issue | undefined {
  if (batch.state.status === 'paused') emit(batch, 0, { type: 'run.resumed', ...authorOf(command) });
  return undefined;
}

/** Aborts running attempts and cancels every live step; the run then ends `cancelled`. `spent` holds the known use of child runs by step. */
export function cancel(batch: Batch, order: Order, cause = 0, spent?: CommandOf<'cancel'>['spent']): undefined {
  const { state } = batch;
  emit(batch, cause, { type: 'run.cancelling', ...authorOf(order) });
  const ordered = state.version;
  const steps = [...state.steps.values()].filter((step) => !isTerminal(step));
  for (const step of steps) abortAttempt(batch, step, 'cancelled');
  const live = steps.map(({ id }) => id);
  if (live.length > 0) emit(batch, ordered, { type: 'steps.cancelled', steps: live, ...defined({ spent }) });
  state.consequences.length = 0;
  return undefined;
}
