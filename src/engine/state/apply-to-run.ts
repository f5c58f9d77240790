// Folds the events of a whole run: its life, its budget, and what people have agreed to.
import { unreachable } from '../../base/fault.ts';
import { limitable } from '../../budget/amount.ts';
import { raiseLimit } from '../../budget/ledger.ts';
import { raisedTo } from '../../budget/limits.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { EventOf } from '../record/event.schema.ts';
import { startRun } from './add-steps.ts';
import { landingReserve } from './landing-set.ts';
import { setRunStatus } from './move-step.ts';
import { RUN_ACCOUNT, type RunState } from './state.ts';

export type RunEvent = EventOf<
  | 'run.started'
  | 'run.forked'
  | 'run.attached'
  | 'run.paused'
  | 'run.resumed'
  | 'run.cancelling'
  | 'run.ended'
  | 'capability.registered'
  | 'lock.differed'
  | 'budget.warned'
  | 'budget.exhausted'
  | 'budget.raised'
>;

export function applyToRun(state: RunState, event: RunEvent): void {
  switch (event.type) {
    case 'run.started':
      return startRun(state, event);
    case 'run.forked':
      state.forked = { from: event.from, at: event.at };
      return;
    case 'run.attached':
      state.lead = event.lead ?? 0;
      return;
    case 'run.paused':
      return setRunStatus(state, 'paused');
    case 'run.resumed':
      return setRunStatus(state, 'running');
    case 'run.cancelling':
      return setRunStatus(state, 'cancelling');
    case 'run.ended':
      state.status = 'ended';
      state.ended = event;
      state.partial ||= event.partial;
      return;
    case 'capability.registered':
      return register(state, event.capability);
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
