// The history of each step: its attempts, their calls and their ends, read from the events.

import type { Digest } from '../base/digest.ts';
import type { Failure } from '../base/failure.ts';
import { unreachable } from '../base/fault.ts';
import type { Issue } from '../base/issue.ts';
import { defined } from '../base/json.ts';
import type { Duration, Instant, MicroDollars } from '../base/quantity.ts';
import { type Amount, plus } from '../budget/amount.ts';
import type { Event, EventOf, Recorded } from '../engine/record/event.schema.ts';
import type { Order, StoredValue } from '../engine/record/event-parts.schema.ts';
import type { CallRecord } from '../engine/state/call-record.ts';

/** One call of an attempt: to a model, to a tool, or for results of the run. */
export interface CallHistory {
  readonly call: number;
  readonly kind: CallRecord['kind'];
  readonly name: string;
  readonly purpose?: NonNullable<CallRecord['purpose']>;
  readonly prompt?: string;
  /** Digest of the request; a blob. */
  readonly request: Digest;
  /** The child run that it started. */
  readonly child?: string;
  readonly startedAt: Instant;
  endedAt?: Instant;
  /** The result of the call. */
  value?: StoredValue;
  failure?: Failure;
  bill?: Amount;
}

interface Attempt {
  readonly attempt: number;
  readonly delivery: number;
  /** The child run that it started. */
  readonly child?: string;
  readonly startedAt: Instant;
  endedAt?: Instant;
  /** `lost`: its worker never answered; `rejected`: its fragment did not pass review; `asked`: its planner needs more results; `broken off`: its budget was spent or is in question, or its result was no longer needed. */
  end?:
    | 'completed'
    | 'failed'
    | 'skipped'
    | 'cancelled'
    | 'lost'
    | 'rejected'
    | 'asked'
    | 'held'
    | 'broken off'
    | 'resolved'
    | 'retried';
  failure?: Failure;
  /** The reason why the result did not pass verification. */
  diagnosis?: string;
  /** The issues of its fragment. */
  issues?: readonly Issue[];
  /** The calls of this delivery, in order. */
  readonly calls: CallHistory[];
  /** The bill, with all calls. */
  bill?: Amount;
  /** The part of the bill that is only assumed, because the delivery was lost. */
  assumed?: Amount;
}

/** An operator's order about the step. */
export interface StepOrder {
  readonly order: 'resolved' | 'retried';
  readonly at: Instant;
  readonly by: string;
  readonly why?: string;
}

export interface StepHistory {
  readonly attempts: Attempt[];
  /** Orders, the oldest first. */
  readonly orders: StepOrder[];
  /** The step whose result was adopted, on the same input; `run`: in another run. */
  adopted?: { readonly from: string; readonly run?: string; readonly input: Digest };
  /** The end of the step; steps without attempts have only this. */
  endedAt?: Instant;
  verified?: true;
  coerced?: readonly string[];
  warnings?: readonly Issue[];
  /** The critic's score of the plan. */
  score?: number;
  /** The spellings of the plan that were understood as something else. */
  understood?: readonly string[];
}

/** By step id; steps without events are missing. */
export type History = Map<string, StepHistory>;

export function historyOf(events: Iterable<Recorded>): History {
  const history: History = new Map();
  for (const recorded of events) record(history, recorded);
  return history;
}

export function record(history: History, { at, event }: Recorded): void {
  switch (event.type) {
    case 'attempt.started':
      of(history, event.step).attempts.push({
        attempt: event.attempt,
        delivery: event.delivery ?? 1,
        ...defined({ child: event.child }),
        startedAt: at,
        calls: [],
      });
      return;
    case 'call.started':
      return open(history, event.step, ({ calls }) => {
        const { call, kind, name, purpose, prompt, request, child } = event;
        calls.push({ call, kind, name, ...defined({ purpose, prompt, child }), request, startedAt: at });
      });
    case 'call.ended':
      return open(history, event.step, (attempt) => endCall(attempt, at, event));
    case 'attempt.resumed':
      return resume(history, event.step);
    case 'attempt.lost':
      open(history, event.step, (attempt) => {
        if (event.assumed !== undefined) attempt.assumed = event.assumed;
      });
      return close(history, event.step, at, 'lost', event.assumed);
    case 'attempt.failed':
      return close(history, event.step, at, 'failed', event.bill, { failure: event.failure });
    case 'verification.failed':
      open(history, event.step, (attempt) => {
        attempt.diagnosis = event.diagnosis;
      });
      return;
    case 'plan.proposed':
      return open(history, event.step, (attempt) => charge(attempt, event.bill));
    case 'needs.asked':
      return close(history, event.step, at, 'asked', event.bill);
    case 'fragment.rejected':
      return close(history, event.step, at, 'rejected', event.bill, { issues: event.issues });
    case 'fragment.grafted':
      if (event.warnings !== undefined) of(history, event.planner).warnings = event.warnings;
      if (event.score !== undefined) of(history, event.planner).score = event.score;
      if (event.understood !== undefined) of(history, event.planner).understood = event.understood;
      return;
    default:
      return recordEnd(history, at, event);
  }
}

type AttemptEvent = EventOf<
  | 'attempt.started'
  | 'attempt.resumed'
  | 'attempt.lost'
  | 'attempt.failed'
  | 'call.started'
  | 'call.ended'
  | 'verification.failed'
  | 'plan.proposed'
  | 'needs.asked'
  | 'fragment.rejected'
  | 'fragment.grafted'
>;

/** Records how steps end, and what holds them. */
function recordEnd(history: History, at: Instant, event: Exclude<Event, AttemptEvent>): void {
  switch (event.type) {
    case 'step.completed': {
      close(history, event.step, at, 'completed', event.bill);
      const step = of(history, event.step);
      step.endedAt = at;
      if (event.verified) step.verified = true;
      if (event.coerced !== undefined) step.coerced = event.coerced;
      return;
    }
    case 'step.failed':
      of(history, event.step).endedAt = at;
      return close(history, event.step, at, 'failed', event.bill, { failure: event.failure });
    case 'step.skipped':
      of(history, event.step).endedAt = at;
      return close(
        history,
        event.step,
        at,
        endOfSkipped(event),
        event.bill,
        event.failure && { failure: event.failure },
      );
    case 'steps.cancelled':
      for (const step of event.steps) {
        of(history, step).endedAt = at;
        close(history, step, at, 'cancelled', event.spent?.[step]);
      }
      return;
    case 'step.adopted': {
      const { step, from, run, input } = event;
      const adopted = { from, ...defined({ run }), input };
      Object.assign(of(history, step), { endedAt: at, adopted });
      return;
    }
    case 'step.resolved':
      of(history, event.step).endedAt = at;
      keepOrder(history, event.step, 'resolved', at, event);
      return close(history, event.step, at, 'resolved', event.bill);
    case 'step.retried':
      keepOrder(history, event.step, 'retried', at, event);
      return close(history, event.step, at, 'retried', event.bill);
    case 'gate.opened': {
      const end = event.kind === 'exhaustion' ? 'broken off' : 'held';
      return close(history, event.step, at, end, event.bill);
    }
    case 'step.held':
      return close(history, event.step, at, 'broken off', event.bill);
    case 'gate.decided':
    case 'gate.expired':
    case 'steps.released':
    case 'steps.superseded':
    case 'fan_out.expanded':
    case 'replan.started':
    case 'budget.raised':
    case 'run.started':
    case 'run.attached':
    case 'run.forked':
    case 'run.paused':
    case 'run.resumed':
    case 'run.cancelling':
    case 'run.ended':
    case 'plan.requested':
    case 'capability.registered':
    case 'convergence.judged':
    case 'lock.differed':
    case 'budget.warned':
    case 'budget.exhausted':
      return;
    default:
      return unreachable(event);
  }
}

/** From the first attempt to the end, or to `now`; undefined if the step never began. */
export function durationOf(history: StepHistory | undefined, now: Instant): Duration | undefined {
  const [first] = history?.attempts ?? [];
  return first === undefined ? undefined : (history?.endedAt ?? now) - first.startedAt;
}

/** The cost of all attempts of a step. */
export function costOf(history: StepHistory | undefined): MicroDollars {
  return (history?.attempts ?? []).reduce((sum, { bill }) => sum + (bill?.cost_usd ?? 0), 0);
}

/** The cost of attempts without a result or a question, and the assumed cost of lost ones. */
export function wasted(history: History): { readonly failed: Amount; readonly assumed: Amount } {
  let failed: Amount = {};
  let assumed: Amount = {};
  for (const { attempts } of history.values()) {
    for (const { end, bill = {}, assumed: lost = {} } of attempts) {
      if (end === 'lost') assumed = plus(assumed, lost);
      else if (end !== 'completed' && end !== 'held') failed = plus(failed, bill);
    }
  }
  return { failed, assumed };
}

function of(history: History, step: string): StepHistory {
  const found = history.get(step);
  if (found !== undefined) return found;
  const fresh: StepHistory = { attempts: [], orders: [] };
  history.set(step, fresh);
  return fresh;
}

function keepOrder(history: History, step: string, order: StepOrder['order'], at: Instant, { by, why }: Order): void {
  of(history, step).orders.push({ order, at, by, ...defined({ why }) });
}

function open(history: History, step: string, change: (attempt: Attempt) => void): void {
  const last = of(history, step).attempts.at(-1);
  if (last !== undefined && last.end === undefined) change(last);
}

/** Reopens the last attempt, which was held for its child run. */
function resume(history: History, step: string): void {
  const last = of(history, step).attempts.at(-1);
  if (last?.end !== 'held') return;
  delete last.end;
  delete last.endedAt;
}

function endCall(attempt: Attempt, at: Instant, { call, value, failure, bill }: EventOf<'call.ended'>): void {
  const ended = attempt.calls.findLast((each) => each.call === call);
  if (ended === undefined) return;
  Object.assign(ended, { endedAt: at, ...defined({ value, failure, bill }) });
  charge(attempt, bill);
}

function charge(attempt: Attempt, bill: Amount | undefined): void {
  if (bill !== undefined) attempt.bill = plus(attempt.bill ?? {}, bill);
}

/** A running attempt was broken off; a tolerated failure ended by itself. */
function endOfSkipped({ reason }: EventOf<'step.skipped'>): NonNullable<Attempt['end']> {
  return reason === 'tolerated' ? 'skipped' : 'broken off';
}

function close(
  history: History,
  step: string,
  at: Instant,
  end: Attempt['end'] & string,
  bill: Amount | undefined = undefined,
  details: Pick<Attempt, 'failure' | 'issues'> | undefined = undefined,
): void {
  open(history, step, (attempt) => {
    charge(attempt, bill);
    Object.assign(attempt, { endedAt: at, end, ...details });
  });
}
