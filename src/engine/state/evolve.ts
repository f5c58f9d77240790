// Folds an event into the state: total, without judgement, at the cost of what the event touches.
import { failure } from '../../base/failure.ts';
import { unreachable } from '../../base/fault.ts';
import type { Instant } from '../../base/quantity.ts';
import { limitable } from '../../budget/amount.ts';
import { passOver } from '../../budget/clock.ts';
import { raiseLimit, refund, reserve } from '../../budget/ledger.ts';
import { raisedTo } from '../../budget/limits.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { Event, EventOf, Recorded } from '../record/event.schema.ts';
import type { Try } from '../record/try.ts';
import { childGateOf } from './child-run.ts';
import { expand, graft, joinRepair, startReplan, startRun } from './grow.ts';
import { decide as decideGate, expire as expireGate, hold, keepGate } from './hold.ts';
import { countOccurrence, endCall, forgetCalls, forgetCritic, startCall } from './keep-call.ts';
import { landingReserve } from './landing.ts';
import { accountAbove, end, move, settle, takeTurn, turn } from './move-step.ts';
import { RUN_ACCOUNT, type RunState, type Step, stepOf } from './state.ts';

export function evolve(state: RunState, { version, at, event }: Recorded): void {
  if (event.type === 'run.attached' || event.type === 'run.forked') beAway(state, at);
  state.at = at;
  state.version = version;
  apply(state, event);
}

/** While no driver was there, no time counts. */
function beAway({ ledger, at: from }: RunState, to: Instant): void {
  for (const { clock } of ledger.accounts.values()) if (clock !== undefined) passOver(clock, from, to);
}

function apply(state: RunState, event: Event): void {
  switch (event.type) {
    case 'run.started':
      return startRun(state, event);
    case 'run.forked':
      state.forked = { from: event.from, at: event.at };
      return;
    case 'run.attached':
      state.lead = event.lead ?? 0;
      return;
    case 'plan.requested':
      stepOf(state, event.step).brief = event.brief;
      return;
    case 'call.started':
      return startCall(state, event);
    case 'call.ended':
      return endCall(state, event);
    case 'plan.proposed':
      return propose(state, event);
    case 'run.paused':
      return turn(state, 'paused');
    case 'run.resumed':
      return turn(state, 'running');
    case 'run.cancelling':
      return turn(state, 'cancelling');
    case 'run.ended':
      state.status = 'ended';
      state.ended = event;
      return;
    case 'attempt.started':
      return startAttempt(state, event);
    case 'attempt.resumed': {
      const step = stepOf(state, event.step);
      step.begunAt = (step.begunAt ?? state.at) + state.at - (childGateOf(state, step)?.openedAt ?? state.at);
      move(state, step, 'running');
      return;
    }
    case 'attempt.lost': {
      const step = stepOf(state, event.step);
      settle(state, step, event.assumed);
      return;
    }
    case 'attempt.failed': {
      const step = stepOf(state, event.step);
      settle(state, step, event.bill);
      forgetCalls(step);
      step.retryAt = event.retryAt;
      step.failure = event.failure;
      step.tries = [...step.tries, triedIn(step, event)];
      move(state, step, 'retrying');
      return;
    }
    case 'verification.failed': {
      const step = stepOf(state, event.step);
      step.feedback = event.diagnosis;
      step.rejected = event.value;
      step.rejectedIn = event.attempt;
      return;
    }
    case 'step.completed':
    case 'step.resolved': {
      const step = stepOf(state, event.step);
      settle(state, step, event.bill);
      step.result = event.value;
      step.failure = undefined;
      if (event.type === 'step.completed' && event.partial) state.partial = true;
      end(state, step, event.type === 'step.completed' ? 'completed' : 'resolved');
      return;
    }
    case 'step.adopted':
      return adopt(state, event);
    case 'step.retried': {
      const step = stepOf(state, event.step);
      settle(state, step, event.bill);
      if (step.status === 'running') breakOff(step, `${event.by} had it tried again`);
      else if (isProposed(state, step)) step.uncounted += 1;
      forgetCalls(step);
      step.retryAt = undefined;
      takeTurn(state, step);
      return;
    }
    case 'step.failed': {
      const step = stepOf(state, event.step);
      settle(state, step, event.bill);
      step.failure = event.failure;
      step.stop = event.stop;
      step.root = step.id;
      state.stop ??= event.stop;
      if (event.repair !== undefined) joinRepair(state, step, event.repair);
      end(state, step, 'failed');
      if (state.template.failFast) {
        state.failedFast ??= step.id;
        state.consequences.push({ type: 'halt' });
      }
      return;
    }
    case 'step.skipped': {
      const step = stepOf(state, event.step);
      settle(state, step, event.bill);
      step.skipped = event.reason;
      step.result = event.value;
      step.root = event.root ?? step.id;
      step.failure = event.failure;
      end(state, step, 'skipped');
      return;
    }
    case 'steps.cancelled':
      for (const id of event.steps) {
        const step = stepOf(state, id);
        settle(state, step, event.spent?.[id] ?? step.reserved);
        step.root = state.failedFast ?? id;
        end(state, step, 'cancelled');
      }
      return;
    case 'steps.superseded':
      for (const id of event.steps) {
        const step = stepOf(state, id);
        step.root = event.by;
        end(state, step, 'superseded');
        // What a repair was charged for being there stands: nothing gives a replan back.
        if (step.repairs === undefined) refund(state.ledger, accountAbove(state, step), { steps: 1 });
      }
      return;
    case 'fan_out.expanded':
      return expand(state, event);
    case 'replan.started':
      return startReplan(state, event);
    case 'gate.opened':
      keepGate(state, event);
      holdStep(state, event);
      return;
    case 'step.held':
      return holdStep(state, event);
    case 'steps.released':
      for (const id of event.steps) takeTurn(state, stepOf(state, id));
      return;
    case 'gate.decided':
      return decideGate(state, event);
    case 'gate.expired':
      return expireGate(state, event);
    case 'needs.asked': {
      const step = stepOf(state, event.step);
      settle(state, step, event.bill);
      forgetCalls(step);
      step.needs = event.needs;
      step.uncounted += 1;
      move(state, step, 'ready');
      return;
    }
    case 'fragment.rejected': {
      const step = stepOf(state, event.step);
      settle(state, step, event.bill);
      forgetCalls(step);
      step.issues = event.issues;
      move(state, step, 'ready');
      return;
    }
    case 'capability.registered':
      return register(state, event.capability);
    case 'fragment.grafted':
      return graft(state, event);
    case 'convergence.judged': {
      const step = stepOf(state, event.step);
      step.convergence = event;
      state.partial ||= event.convergence.partial;
      state.stop ??= event.stop;
      if (event.satisfied) move(state, step, 'ready');
      return;
    }
    case 'lock.differed':
      for (const key of event.keys) state.agreed.add(key);
      state.differed.push(event.message);
      return;
    case 'budget.warned':
      state.warned.add(`${event.account} ${event.resource}`);
      return;
    case 'budget.exhausted': {
      const { type: _, ...met } = event;
      state.exhausted.set(met.account, met);
      if (!state.met.has(met.account)) state.met.set(met.account, met);
      state.consequences.push({ type: 'cut', account: met.account, cause: state.version });
      return;
    }
    case 'budget.raised':
      return raiseBudget(state, event);
    default:
      return unreachable(event);
  }
}

/** An attempt that was under way has been settled by what holds it. */
function holdStep(state: RunState, { step: id, gate, bill }: EventOf<'gate.opened' | 'step.held'>): void {
  const step = stepOf(state, id);
  const kind = state.gates.get(gate)?.kind;
  // What is set aside for a run stays so while it waits.
  if (kind !== 'child') settle(state, step, bill);
  const isRunning = step.status === 'running';
  if (isRunning && kind === 'exhaustion') breakOff(step, 'it was cut off while its budget is in question');
  // One of its calls, or what it shows a model, has to be approved of.
  if (isRunning && (kind === 'approval' || kind === 'llm_prompt' || kind === 'lock')) step.uncounted += 1;
  move(state, step, 'held');
  hold(state, step, gate);
}

function triedIn({ rejected, rejectedIn }: Step, { attempt, failure }: EventOf<'attempt.failed'>): Try {
  const { code, message } = failure;
  return { attempt, code, message, output: rejectedIn === attempt ? rejected : undefined };
}

/** What the attempt has brought about is not known, and it does not count. */
function breakOff(step: Step, why: string): void {
  step.failure = failure('STEP_ABORTED', why);
  step.uncounted += 1;
}

/** A person has the plan before them that the last attempt brought. */
function isProposed(state: RunState, { people }: Step): boolean {
  const gate = people?.gate === undefined ? undefined : state.gates.get(people.gate);
  return gate?.kind === 'plan_review' || gate?.kind === 'replan';
}

function adopt(state: RunState, { step: id, from, run, input, value }: EventOf<'step.adopted'>): void {
  const step = stepOf(state, id);
  step.inputDigest = input;
  step.result = value;
  if (run === undefined) stepOf(state, from).takenUp = id;
  else state.reused.add(`${run}/${from}`);
  end(state, step, 'completed');
}

function propose(state: RunState, { step: id, reply, found = [], bill }: EventOf<'plan.proposed'>): void {
  const step = stepOf(state, id);
  settle(state, step, bill);
  step.proposal = reply;
  step.found = found;
}

function register(state: RunState, capability: Declaration): void {
  const { template } = state;
  state.registered.set(capability.name, capability);
  state.template = { ...template, capabilities: { ...template.capabilities, [capability.name]: capability } };
}

function raiseBudget(state: RunState, event: EventOf<'budget.raised'>): void {
  const { account, limit, wallClock, planningDepth } = event;
  const raised = raiseLimit(state.ledger, account, limit);
  if (raised.clock !== undefined) raised.clock.limit = wallClock ?? raised.clock.limit;
  raised.planningDepth = planningDepth ?? raised.planningDepth;
  if (account === RUN_ACCOUNT) raised.landing = landingReserve({ ...state.template.budget, limit: raised.limit });
  for (const resource of limitable) if (limit[resource] !== undefined) state.warned.delete(`${account} ${resource}`);
  if (wallClock !== undefined) state.warned.delete(`${account} time`);
  const met = state.exhausted.get(account)?.resource;
  if (met !== undefined && raisedTo(event, met) !== undefined) state.exhausted.delete(account);
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
  // Of a fork: what it waited for was another's, and it starts its own.
  if (step.reserved !== undefined) settle(state, step);
  step.reserved = event.reserved;
  step.retryAt = undefined;
  if (event.reserved !== undefined) reserve(state.ledger, step.account, event.reserved);
  move(state, step, 'running');
}
