// Folds the events of an attempt: its start and its failure, its calls, and the proposals of a planner.
import { unreachable } from '../../base/fault.ts';
import { reserve } from '../../budget/ledger.ts';
import { CALL_NOT_MADE } from '../record/call.ts';
import type { EventOf } from '../record/event.schema.ts';
import type { FailedTry } from '../record/failed-try.ts';
import { countFailedAttempt, countOccurrence, endCall, forgetCalls, forgetCritic, startCall } from './attempt-calls.ts';
import { childGateOf } from './child-run.ts';
import { setStatus, settle } from './move-step.ts';
import { type RunState, type Step, stepOf } from './state.ts';

export type AttemptEvent = EventOf<
  | 'attempt.started'
  | 'attempt.resumed'
  | 'attempt.lost'
  | 'attempt.failed'
  | 'verification.failed'
  | 'call.started'
  | 'call.ended'
  | 'plan.requested'
  | 'plan.proposed'
  | 'needs.asked'
  | 'fragment.rejected'
>;

export function applyToAttempt(state: RunState, event: AttemptEvent): void {
  switch (event.type) {
    case 'attempt.started':
      return startAttempt(state, event);
    case 'attempt.resumed': {
      const step = stepOf(state, event.step);
      step.begunAt = (step.begunAt ?? state.at) + state.at - (childGateOf(state, step)?.openedAt ?? state.at);
      setStatus(state, step, 'running');
      return;
    }
    case 'attempt.lost': {
      const step = stepOf(state, event.step);
      settle(state, step, event.assumed);
      return;
    }
    case 'attempt.failed': {
      if (event.failure.code !== CALL_NOT_MADE) countFailedAttempt(stepOf(state, event.step));
      const step = endAttempt(state, event);
      step.retryAt = event.retryAt;
      if (event.failure.code === CALL_NOT_MADE) {
        step.uncounted += 1;
        setStatus(state, step, 'retrying');
        return;
      }
      step.failure = event.failure;
      step.tries = [...step.tries, triedIn(step, event)];
      setStatus(state, step, 'retrying');
      return;
    }
    case 'verification.failed': {
      const step = stepOf(state, event.step);
      step.feedback = event.diagnosis;
      step.rejected = event.value;
      step.rejectedIn = event.attempt;
      return;
    }
    case 'call.started':
      return startCall(state, event);
    case 'call.ended':
      return endCall(state, event);
    case 'plan.requested':
      stepOf(state, event.step).brief = event.brief;
      return;
    case 'plan.proposed':
      return propose(state, event);
    case 'needs.asked': {
      const step = endAttempt(state, event);
      step.needs = event.needs;
      step.uncounted += 1;
      setStatus(state, step, 'ready');
      return;
    }
    case 'fragment.rejected': {
      countFailedAttempt(stepOf(state, event.step));
      const step = endAttempt(state, event);
      step.issues = event.issues;
      setStatus(state, step, 'ready');
      return;
    }
    default:
      return unreachable(event);
  }
}

function startAttempt(state: RunState, event: EventOf<'attempt.started'>): void {
  const step = stepOf(state, event.step);
  if (event.delivery === undefined) forgetCritic(step);
  step.attempt = event.attempt;
  step.delivery = event.delivery ?? 1;
  if (event.key !== undefined) countOccurrence(state, event.key);
  step.key = event.key;
  step.begunAt = state.at;
  const lineage = step.repairs && state.lineages.get(step.repairs.lineage);
  if (lineage?.repairs.at(-1) === step.id && event.attempt === 1) lineage.lastAt = state.at;
  step.inputDigest = event.input;
  if (event.child !== undefined) step.child = event.child;
  // In a fork, the step waited for a child of the other run, and starts its own.
  if (step.reserved !== undefined) settle(state, step);
  step.reserved = event.reserved;
  step.retryAt = undefined;
  if (event.reserved !== undefined) reserve(state.ledger, step.account, event.reserved);
  setStatus(state, step, 'running');
}

/** Charges an attempt that another one follows, and forgets its calls. */
function endAttempt(
  state: RunState,
  { step: id, bill }: EventOf<'attempt.failed' | 'needs.asked' | 'fragment.rejected'>,
): Step {
  const step = stepOf(state, id);
  settle(state, step, bill);
  forgetCalls(step);
  return step;
}

function triedIn({ rejected, rejectedIn }: Step, { attempt, failure }: EventOf<'attempt.failed'>): FailedTry {
  const { code, message } = failure;
  return { attempt, code, message, output: rejectedIn === attempt ? rejected : undefined };
}

function propose(state: RunState, { step: id, reply, found = [], bill }: EventOf<'plan.proposed'>): void {
  const step = stepOf(state, id);
  settle(state, step, bill);
  step.proposal = reply;
  step.found = found;
}
