// Folds the events by which steps end, begin anew or are judged.
import { unreachable } from '../../base/fault.ts';
import { refund } from '../../budget/ledger.ts';
import type { EventOf } from '../record/event.schema.ts';
import { joinRepair } from './add-steps.ts';
import { forgetCalls } from './attempt-calls.ts';
import { accountAbove, breakOff, endStep, makeReadyAgain, setStatus, settle } from './move-step.ts';
import { type RunState, type Step, stepOf } from './state.ts';

export type StepEvent = EventOf<
  | 'step.completed'
  | 'step.resolved'
  | 'step.adopted'
  | 'step.retried'
  | 'step.failed'
  | 'step.skipped'
  | 'steps.cancelled'
  | 'steps.superseded'
  | 'convergence.judged'
>;

export function applyToStep(state: RunState, event: StepEvent): void {
  switch (event.type) {
    case 'step.completed':
    case 'step.resolved': {
      const step = settledStep(state, event);
      step.result = event.value;
      step.failure = undefined;
      if (event.type === 'step.completed' && event.partial) state.partial = true;
      endStep(state, step, event.type === 'step.completed' ? 'completed' : 'resolved');
      return;
    }
    case 'step.adopted':
      return adopt(state, event);
    case 'step.retried': {
      const step = settledStep(state, event);
      if (step.status === 'running') breakOff(step, `${event.by} had it tried again`);
      else if (isProposed(state, step)) step.uncounted += 1;
      forgetCalls(step);
      step.retryAt = undefined;
      makeReadyAgain(state, step);
      return;
    }
    case 'step.failed': {
      const step = settledStep(state, event);
      step.failure = event.failure;
      step.stop = event.stop;
      step.root = step.id;
      state.stop ??= event.stop;
      if (event.repair !== undefined) joinRepair(state, step, event.repair);
      endStep(state, step, 'failed');
      if (state.template.failFast) {
        state.failedFast ??= step.id;
        state.consequences.push({ type: 'halt' });
      }
      return;
    }
    case 'step.skipped': {
      const step = settledStep(state, event);
      step.skipped = event.reason;
      step.result = event.value;
      step.root = event.root ?? step.id;
      step.failure = event.failure;
      endStep(state, step, 'skipped');
      return;
    }
    case 'steps.cancelled':
      for (const id of event.steps) {
        const step = stepOf(state, id);
        settle(state, step, event.spent?.[id] ?? step.reserved);
        step.root = state.failedFast ?? id;
        endStep(state, step, 'cancelled');
      }
      return;
    case 'steps.superseded':
      for (const id of event.steps) {
        const step = stepOf(state, id);
        step.root = event.by;
        endStep(state, step, 'superseded');
        // A repair stays charged: nothing gives a replan back.
        if (step.repairs === undefined) refund(state.ledger, accountAbove(state, step), { steps: 1 });
      }
      return;
    case 'convergence.judged': {
      const step = stepOf(state, event.step);
      step.convergence = event;
      state.partial ||= event.convergence.partial;
      state.stop ??= event.stop;
      if (event.satisfied) setStatus(state, step, 'ready');
      return;
    }
    default:
      return unreachable(event);
  }
}

/** The step of an event, after it was charged. */
function settledStep(
  state: RunState,
  { step: id, bill }: EventOf<'step.completed' | 'step.resolved' | 'step.retried' | 'step.failed' | 'step.skipped'>,
): Step {
  const step = stepOf(state, id);
  settle(state, step, bill);
  return step;
}

function adopt(state: RunState, { step: id, from, run, input, value }: EventOf<'step.adopted'>): void {
  const step = stepOf(state, id);
  step.inputDigest = input;
  step.result = value;
  if (run === undefined) stepOf(state, from).takenUp = id;
  else state.reused.add(`${run}/${from}`);
  endStep(state, step, 'completed');
}

/** A person has the plan before them that the last attempt brought. */
function isProposed(state: RunState, { people }: Step): boolean {
  const gate = people?.gate === undefined ? undefined : state.gates.get(people.gate);
  return gate?.kind === 'plan_review' || gate?.kind === 'replan';
}
