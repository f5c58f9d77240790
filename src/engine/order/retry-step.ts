// A person's order to retry a step: its attempt is aborted, and the step becomes ready again.
import { type Issue, issue } from '../../base/issue.ts';
import { predecessors } from '../../graph/plan-graph.ts';
import { missingStep, type RefusalReason } from '../attempt/resolve-step.ts';
import type { CommandOf } from '../record/command.ts';
import { abortAttempt } from '../state/abort-attempt.ts';
import { authorOf, type Batch, emit, paid } from '../state/batch.ts';
import { isTerminal, type RunState, type Step, stepOf } from '../state/state.ts';

/** Issues: STEP_MISSING, STEP_NOT_RETRYABLE. */
export function retryStep(batch: Batch, command: CommandOf<'retry-step'>): Issue | undefined {
  const refused = refuseRetry(batch.state, command);
  if (refused !== undefined) return refused;
  const step = stepOf(batch.state, command.step);
  abortAttempt(batch, step, 'retried');
  emit(batch, 0, { type: 'step.retried', step: step.id, ...paid(step.reserved ?? {}), ...authorOf(command) });
  return undefined;
}

export function refuseRetry(state: RunState, command: CommandOf<'retry-step'>): Issue | undefined {
  const step = state.steps.get(command.step);
  if (step === undefined) return missingStep(state, command.step);
  const reason = whyNotRetryable(state, step);
  return reason && issue('STEP_NOT_RETRYABLE', `"${step.id}" ${reason.is}`, { hint: reason.hint });
}

function whyNotRetryable(state: RunState, step: Step): RefusalReason | undefined {
  if (isTerminal(step)) return { is: `has ended (${step.status})` };
  if (state.failedFast !== undefined)
    return { is: 'cannot begin again: a step has failed, and the run stops at the first failure' };
  if (step.status === 'ready') return { is: 'is about to begin' };
  if (step.status !== 'waiting') return undefined;
  const before = (step.expanded ?? predecessors(state.graph, step.id)).filter((id) => !isTerminal(stepOf(state, id)));
  return { is: `has not begun: it waits for ${before.join(', ')}` };
}
