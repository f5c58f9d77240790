// Raises limits of a running run. Steps that were cut before stay cut.

import { type Issue, issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { limitable, quantity } from '../../budget/amount.ts';
import { elapsedAt } from '../../budget/clock.ts';
import { type Account, account } from '../../budget/ledger.ts';
import { limitText } from '../../budget/limit-text.ts';
import { type Exhaustible, type Raise, raisedTo } from '../../budget/limits.ts';
import { releaseHeld } from '../gates/open-gate.ts';
import type { CommandOf } from '../record/command.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import { authorOf, type Batch, emit, store } from '../state/batch.ts';
import { openGatesOf } from '../state/deadline.ts';
import { limitPlace } from '../state/exhaustion.ts';
import { landingPercent } from '../state/landing-set.ts';
import { type Gate, RUN_ACCOUNT, type RunState } from '../state/state.ts';

type RaiseOrder = Pick<CommandOf<'raise-budget'>, 'account' | keyof Raise>;

/** Also decides the open gates that ask about a raised limit. Issues: ACCOUNT_UNKNOWN, BUDGET_NOT_RAISED. */
export function raiseBudget(batch: Batch, command: CommandOf<'raise-budget'>): Issue | undefined {
  const { state } = batch;
  const refused = refuseRaise(batch, command);
  if (refused !== undefined) return refused;
  const asked = gatesOfLimit(state, command);
  raise(batch, 0, command);
  for (const { gate, met } of asked) {
    const value = store(batch, { answer: 'raise', limit: raisedTo(command, met.resource) ?? null });
    emit(batch, state.version, { type: 'gate.decided', gate: gate.id, verdict: 'answer', value, ...authorOf(command) });
    releaseHeld(batch, gate);
  }
  return undefined;
}

/** Records the raise of an order that was not refused. */
export function raise(batch: Batch, cause: number, order: CommandOf<'raise-budget'>): void {
  const { account, limit, wallClock, planningDepth } = order;
  const time = defined({ wallClock });
  const depth = defined({ planningDepth });
  emit(batch, cause, { type: 'budget.raised', account, limit, ...time, ...depth, ...authorOf(order) });
}

export function refuseRaise({ state, at }: Batch, order: RaiseOrder): Issue | undefined {
  const { ledger } = state;
  const found = ledger.accounts.get(order.account);
  if (found === undefined) {
    const ids = [...ledger.accounts.keys()];
    const hint = didYouMean(order.account, ids) ?? `its accounts are ${ids.join(', ')}`;
    return issue('ACCOUNT_UNKNOWN', `run ${state.id} has no account "${order.account}"`, { hint });
  }
  if (state.parent !== undefined && found.id === RUN_ACCOUNT) {
    const { run, step } = state.parent;
    return notRaised(
      `step "${step}" of run ${run} has set aside what this run may use`,
      'what is not enough is more than that step was given: allow it more, and start it again',
    );
  }
  const named = resources.filter((resource) => raisedTo(order, resource) !== undefined);
  if (named.length === 0) return notRaised('the order names no limit', 'name one, and what it should be');
  for (const resource of named) {
    const refused = refuseLimit(
      limitPlace(found.id, resource),
      resource,
      limitOf(found, resource),
      raisedTo(order, resource) ?? 0,
    );
    if (refused !== undefined) return refused;
  }
  const refusals = gatesOfLimit(state, order).map(({ met }) =>
    refuseTooLittle(state, at, met, raisedTo(order, met.resource) ?? 0),
  );
  return refusals.find((refused) => refused !== undefined);
}

const resources: readonly Exhaustible[] = [...limitable, 'time', 'planning_depth'];

function limitOf({ limit, clock, planningDepth }: Account, of: Exhaustible): number | undefined {
  if (of === 'time') return clock?.limit;
  return of === 'planning_depth' ? planningDepth : limit[of];
}

interface GateOfLimit {
  readonly gate: Gate;
  readonly met: Exhaustion;
}

/** The open gates that ask about a limit that the order raises. */
function gatesOfLimit(state: RunState, order: RaiseOrder): readonly GateOfLimit[] {
  return openGatesOf(state).flatMap((gate) => {
    const met = gate.exhaustion;
    const isRaised = met?.account === order.account && raisedTo(order, met.resource) !== undefined;
    return met !== undefined && isRaised ? [{ gate, met }] : [];
  });
}

function refuseLimit(key: string, resource: Exhaustible, present: number | undefined, to: number): Issue | undefined {
  if (present === undefined) return notRaised(`${key} has no limit`, 'what it bounds may be used freely already');
  if (!Number.isSafeInteger(to))
    return notRaised(`${key} takes a whole number`, `it is ${limitText(resource, present)}`);
  if (to > present) return undefined;
  return notRaised(`${key} is ${limitText(resource, present)} already`, 'a limit of a run can only be raised');
}

/** Refuses a raise that is too small for the held steps. The landing reserve grows with the limit. */
function refuseTooLittle(state: RunState, at: number, met: Exhaustion, to: number): Issue | undefined {
  const { account: id, resource, key } = met;
  if (resource === 'planning_depth') return undefined;
  const used = usedOf(account(state.ledger, id), resource, at);
  const share = 100 - landingPercent(state, id, resource);
  const least = Math.ceil(((used + 1) * 100) / share);
  if (to >= least) return undefined;
  const hint = Number.isFinite(least) ? `name more than ${limitText(resource, least - 1)}` : undefined;
  return notRaised(`${key} of ${limitText(resource, to)} would not pay for what is held`, hint);
}

function usedOf(
  { clock, spent, reserved }: Account,
  resource: Exclude<Exhaustible, 'planning_depth'>,
  at: number,
): number {
  if (resource !== 'time') return quantity(spent, resource) + quantity(reserved, resource);
  return clock === undefined ? 0 : elapsedAt(clock, at);
}

function notRaised(message: string, hint?: string): Issue {
  return issue('BUDGET_NOT_RAISED', message, { hint });
}
