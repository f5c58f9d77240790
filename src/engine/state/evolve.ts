// Folds an event into the state. It accepts every event, and costs only as much as the event touches.
import { unreachable } from '../../base/fault.ts';
import type { Instant } from '../../base/quantity.ts';
import { skipTime } from '../../budget/clock.ts';
import type { Event, EventOf, Recorded } from '../record/event.schema.ts';
import { expand, graft, startReplan } from './add-steps.ts';
import { applyToAttempt } from './apply-to-attempt.ts';
import { applyToRun } from './apply-to-run.ts';
import { applyToStep } from './apply-to-step.ts';
import { addGate, decideGate, expireGate, holdForGate } from './gates.ts';
import { breakOff, makeReadyAgain, setStatus, settle } from './move-step.ts';
import { type RunState, stepOf } from './state.ts';

export function evolve(state: RunState, { version, at, event }: Recorded): void {
  if (event.type === 'run.attached' || event.type === 'run.forked') beAway(state, at);
  state.at = at;
  state.version = version;
  apply(state, event);
}

/** Time without a driver does not count. */
function beAway({ ledger, at: from }: RunState, to: Instant): void {
  for (const { clock } of ledger.accounts.values()) if (clock !== undefined) skipTime(clock, from, to);
}

function apply(state: RunState, event: Event): void {
  switch (event.type) {
    case 'attempt.started':
    case 'attempt.resumed':
    case 'attempt.lost':
    case 'attempt.failed':
    case 'verification.failed':
    case 'call.started':
    case 'call.ended':
    case 'plan.requested':
    case 'plan.proposed':
    case 'needs.asked':
    case 'fragment.rejected':
      return applyToAttempt(state, event);
    case 'step.completed':
    case 'step.resolved':
    case 'step.adopted':
    case 'step.retried':
    case 'step.failed':
    case 'step.skipped':
    case 'steps.cancelled':
    case 'steps.superseded':
    case 'convergence.judged':
      return applyToStep(state, event);
    case 'fragment.grafted':
      return graft(state, event);
    case 'fan_out.expanded':
      return expand(state, event);
    case 'replan.started':
      return startReplan(state, event);
    case 'gate.opened':
      addGate(state, event);
      holdStep(state, event);
      return;
    case 'step.held':
      return holdStep(state, event);
    case 'steps.released':
      for (const id of event.steps) makeReadyAgain(state, stepOf(state, id));
      return;
    case 'gate.decided':
      return decideGate(state, event);
    case 'gate.expired':
      return expireGate(state, event);
    case 'run.started':
    case 'run.forked':
    case 'run.attached':
    case 'run.paused':
    case 'run.resumed':
    case 'run.cancelling':
    case 'run.ended':
    case 'capability.registered':
    case 'lock.differed':
    case 'budget.warned':
    case 'budget.exhausted':
    case 'budget.raised':
      return applyToRun(state, event);
    default:
      return unreachable(event);
  }
}

/** Settles the attempt that was running, and holds its step for the gate. */
function holdStep(state: RunState, { step: id, gate, bill }: EventOf<'gate.opened' | 'step.held'>): void {
  const step = stepOf(state, id);
  const kind = state.gates.get(gate)?.kind;
  // The reservation for a child run stays while the step waits for it.
  if (kind !== 'child') settle(state, step, bill);
  const isRunning = step.status === 'running';
  if (isRunning && kind === 'exhaustion') breakOff(step, 'it was cut off while its budget is in question');
  // One of its calls, or its prompt to a model, needs an approval.
  if (isRunning && (kind === 'approval' || kind === 'llm_prompt' || kind === 'lock')) step.uncounted += 1;
  setStatus(state, step, 'held');
  holdForGate(state, step, gate);
}
