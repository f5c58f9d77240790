// The trace of a run as a function of its events: each event becomes span operations.

import { unreachable } from '../base/fault.ts';
import { defined } from '../base/json.ts';
import type { Event, EventOf, Recorded } from '../engine/record/event.schema.ts';
import type { Attributes } from './attributes.ts';
import { endCall, startCall } from './call-spans.ts';
import { closeGate, closeGates, holdStep, openGate, releaseStep } from './gate-spans.ts';
import { tracePlan } from './plan-spans.ts';
import type { SpanOperation } from './span-operation.ts';
import { addStepEvent, closeAll, endAttempt, endStep, spanOf, startAttempt } from './step-spans.ts';
import { readTraceparent, spanIds, traceContext } from './trace-ids.ts';
import {
  addStep,
  addTo,
  charge,
  content,
  endSpan,
  reservedOf,
  spanEvent,
  startSpan,
  type Tracing,
  textOf,
  tracedStep,
} from './tracing.ts';
import { budgetAttributes, usageAttributes } from './usage-attributes.ts';

/** Folds the next event of the run, and returns its span operations in order. */
export function spansOf(tracing: Tracing, { version, at, event }: Recorded): readonly SpanOperation[] {
  tracing.version = version;
  // Clocks may be set back, but the times of a trace never decrease.
  tracing.micros = at > tracing.at ? 0 : Math.min(tracing.micros + 2, LAST_MICROS);
  tracing.at = Math.max(tracing.at, at);
  tracing.started = 0;
  tracing.operations = [];
  trace(tracing, event);
  return tracing.operations;
}

/** Leaves a microsecond for spans that end. */
const LAST_MICROS = 998;

function trace(tracing: Tracing, event: Event): void {
  switch (event.type) {
    case 'run.started':
      return startRun(tracing, event);
    case 'run.attached':
      return attachRun(tracing, event);
    case 'run.paused':
    case 'run.resumed':
    case 'run.cancelling':
      return spanEvent(tracing, tracing.run, event.type, { 'reconverge.by': event.by });
    case 'run.forked': {
      const forked = { 'reconverge.run.forked_from': event.from, 'reconverge.by': event.by };
      return spanEvent(tracing, tracing.run, event.type, forked);
    }
    case 'run.ended':
      return endRun(tracing, event);
    case 'attempt.started':
    case 'attempt.resumed':
    case 'attempt.lost':
    case 'attempt.failed':
      return traceAttempt(tracing, event);
    case 'call.started':
      return startCall(tracing, tracedStep(tracing, event.step), event);
    case 'call.ended':
      return endCall(tracing, tracedStep(tracing, event.step), event);
    case 'verification.failed':
    case 'step.completed':
    case 'step.resolved':
    case 'step.adopted':
    case 'step.retried':
    case 'step.failed':
    case 'step.skipped':
    case 'steps.cancelled':
    case 'steps.superseded':
    case 'fan_out.expanded':
    case 'capability.registered':
    case 'steps.released':
      return traceStep(tracing, event);
    case 'gate.opened':
    case 'step.held':
    case 'gate.decided':
    case 'gate.expired':
      return traceGate(tracing, event);
    case 'replan.started':
    case 'plan.requested':
    case 'plan.proposed':
    case 'needs.asked':
    case 'fragment.rejected':
    case 'fragment.grafted':
    case 'convergence.judged':
    case 'lock.differed':
      return tracePlan(tracing, event);
    case 'budget.warned':
    case 'budget.exhausted':
    case 'budget.raised':
      return traceBudget(tracing, event);
    default:
      return unreachable(event);
  }
}

function traceAttempt(
  tracing: Tracing,
  event: EventOf<'attempt.started' | 'attempt.resumed' | 'attempt.lost' | 'attempt.failed'>,
): void {
  switch (event.type) {
    case 'attempt.started': {
      const step = tracedStep(tracing, event.step);
      startAttempt(tracing, step, event);
      step.reserved = event.reserved;
      return;
    }
    case 'attempt.resumed': {
      const step = tracedStep(tracing, event.step);
      releaseStep(tracing, event.step);
      return startAttempt(tracing, step, event);
    }
    case 'attempt.lost': {
      const step = tracedStep(tracing, event.step);
      charge(tracing, step, event.assumed);
      return endAttempt(tracing, step, 'lost', lost);
    }
    case 'attempt.failed': {
      const step = tracedStep(tracing, event.step);
      charge(tracing, step, event.bill);
      return endAttempt(tracing, step, 'failed', event.failure);
    }
    default:
      return unreachable(event);
  }
}

function traceStep(
  tracing: Tracing,
  event: EventOf<
    | 'verification.failed'
    | 'step.completed'
    | 'step.resolved'
    | 'step.adopted'
    | 'step.retried'
    | 'step.failed'
    | 'step.skipped'
    | 'steps.cancelled'
    | 'steps.superseded'
    | 'fan_out.expanded'
    | 'capability.registered'
    | 'steps.released'
  >,
): void {
  switch (event.type) {
    case 'verification.failed':
      return addStepEvent(
        tracing,
        event.step,
        event.type,
        content(tracing, { 'reconverge.diagnosis': event.diagnosis }),
      );
    case 'step.completed':
      return completeStep(tracing, event);
    case 'step.resolved': {
      const attributes = { 'reconverge.by': event.by };
      return endStep(tracing, tracedStep(tracing, event.step), { status: 'resolved', bill: event.bill, attributes });
    }
    case 'step.adopted': {
      const from = event.run === undefined ? event.from : `${event.run}/${event.from}`;
      const attributes = { 'reconverge.step.adopted_from': from };
      return endStep(tracing, tracedStep(tracing, event.step), { status: 'adopted', attributes });
    }
    case 'step.retried': {
      const step = tracedStep(tracing, event.step);
      charge(tracing, step, event.bill);
      endAttempt(tracing, step, 'retried');
      return spanEvent(tracing, spanOf(tracing, step), event.type, { 'reconverge.by': event.by });
    }
    case 'step.failed': {
      const { failure, bill } = event;
      return endStep(tracing, tracedStep(tracing, event.step), { status: 'failed', failure, bill });
    }
    case 'step.skipped': {
      const { reason, root, failure, bill } = event;
      const attributes = defined({ 'reconverge.step.reason': reason, 'reconverge.step.root': root });
      return endStep(tracing, tracedStep(tracing, event.step), { status: 'skipped', failure, bill, attributes });
    }
    case 'steps.cancelled':
      for (const id of event.steps) {
        const step = tracedStep(tracing, id);
        endStep(tracing, step, { status: 'cancelled', bill: event.spent?.[id] ?? reservedOf(step) });
      }
      return;
    case 'steps.superseded':
      for (const id of event.steps) supersede(tracing, id, event.by);
      return;
    case 'fan_out.expanded':
      return expand(tracing, event);
    case 'capability.registered':
      if (event.capability.lisp !== undefined) tracing.written.add(event.capability.name);
      return addStepEvent(tracing, event.step, event.type, { 'reconverge.capability': event.capability.name });
    case 'steps.released':
      for (const id of event.steps) addStepEvent(tracing, id, 'step.released');
      return;
    default:
      return unreachable(event);
  }
}

function traceGate(
  tracing: Tracing,
  event: EventOf<'gate.opened' | 'step.held' | 'gate.decided' | 'gate.expired'>,
): void {
  switch (event.type) {
    case 'gate.opened': {
      const step = tracedStep(tracing, event.step);
      const span = spanOf(tracing, step);
      if (event.kind !== 'child') charge(tracing, step, event.bill);
      endAttempt(tracing, step, 'held');
      return openGate(tracing, span, event);
    }
    case 'step.held': {
      const step = tracedStep(tracing, event.step);
      spanEvent(tracing, spanOf(tracing, step), event.type, { 'reconverge.gate.id': event.gate });
      charge(tracing, step, event.bill);
      endAttempt(tracing, step, 'held');
      return holdStep(tracing, event.gate, event.step);
    }
    case 'gate.decided': {
      const decided = { 'reconverge.gate.verdict': event.verdict, 'reconverge.by': event.by };
      return closeGate(tracing, event.gate, { 'reconverge.status': 'decided', ...decided });
    }
    case 'gate.expired':
      return closeGate(tracing, event.gate, {
        'reconverge.status': 'expired',
        'reconverge.gate.verdict': event.outcome,
      });
    default:
      return unreachable(event);
  }
}

function traceBudget(tracing: Tracing, event: EventOf<'budget.warned' | 'budget.exhausted' | 'budget.raised'>): void {
  switch (event.type) {
    case 'budget.warned': {
      const { account, resource, percent } = event;
      const figures = { 'reconverge.percent': percent, ...budgetAttributes(tracing) };
      return addAccountEvent(tracing, account, event.type, { 'reconverge.resource': resource, ...figures });
    }
    case 'budget.exhausted': {
      const { account, resource } = event;
      return addAccountEvent(tracing, account, event.type, {
        'reconverge.resource': resource,
        ...budgetAttributes(tracing),
      });
    }
    case 'budget.raised': {
      const { account, limit, by } = event;
      if (account === RUN) tracing.limit = { ...tracing.limit, ...limit };
      return addAccountEvent(tracing, account, event.type, { 'reconverge.by': by, ...budgetAttributes(tracing) });
    }
    default:
      return unreachable(event);
  }
}

const RUN = 'run';

const lost = { code: 'WORKER_LOST', message: 'nobody came back with an outcome', retry: 'may' } as const;

function startRun(tracing: Tracing, { run, by, traceparent, parent }: EventOf<'run.started'>): void {
  const { template, at } = tracing;
  tracing.context = traceContext(run, at, traceparent ?? tracing.under);
  tracing.ids = spanIds(run, at);
  addTo(tracing.spent, { steps: template.steps.length });
  tracing.run = startSpan(tracing, {
    kind: 'run',
    name: 'run',
    parent: tracing.context.parent,
    attributes: defined({
      'reconverge.run.id': run,
      'reconverge.template.name': template.name,
      'reconverge.template.version': template.version,
      'reconverge.template.digest': template.digest,
      'reconverge.template.environment': template.environment,
      'reconverge.by': by,
      'reconverge.run.parent': parent?.run,
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': template.name,
    }),
  });
}

/** The trace of the program that resumed the run is another one, so the run's span gets a link to it. */
function attachRun(tracing: Tracing, { type, by, traceparent = '' }: EventOf<'run.attached'>): void {
  spanEvent(tracing, tracing.run, type, { 'reconverge.by': by });
  const { trace, parent } = readTraceparent(traceparent) ?? {};
  if (trace === undefined || parent === undefined || trace === tracing.context.trace) return;
  tracing.operations.push({ op: 'link', span: tracing.run, link: { to: parent, trace, relation: 'resumed' } });
}

function endRun(tracing: Tracing, { status, partial, failure }: EventOf<'run.ended'>): void {
  closeGates(tracing);
  closeAll(tracing, 'run ended');
  const figures = { ...usageAttributes(tracing.spent), ...budgetAttributes(tracing) };
  endSpan(tracing, tracing.run, { 'reconverge.status': status, 'reconverge.partial': partial, ...figures }, failure);
}

function completeStep(tracing: Tracing, { step: id, value, bill, verified }: EventOf<'step.completed'>): void {
  const step = tracedStep(tracing, id);
  const tells = tracing.template.captureContent === true;
  const result = tells ? content(tracing, { 'reconverge.step.result': textOf(tracing, value) }) : undefined;
  const attributes = verified ? { 'reconverge.step.verified': true, ...result } : result;
  endStep(tracing, step, { status: 'completed', bill, attributes });
}

/** Ends a superseded step; a step that never began gets a span too, to show that the repair replaced it. */
function supersede(tracing: Tracing, id: string, by: string): void {
  const step = tracedStep(tracing, id);
  endStep(tracing, step, { status: 'superseded', attributes: { 'reconverge.step.root': by } });
  if (step.repairs === undefined) addTo(tracing.spent, { steps: -1 });
}

function expand(tracing: Tracing, { step: id, items }: EventOf<'fan_out.expanded'>): void {
  const step = tracedStep(tracing, id);
  const { phase, depth, links } = step;
  spanEvent(tracing, spanOf(tracing, step), 'fan_out.expanded', { 'reconverge.step.items': items.length });
  addTo(tracing.spent, { steps: items.length });
  items.forEach((_, index) => {
    addStep(tracing, `${id}/${index}`, step.spec?.fanOut?.do, { phase, depth, links, item: id });
  });
}

/** Adds a span event to an account, which belongs to the run or to a planning step. */
function addAccountEvent(tracing: Tracing, account: string, name: string, attributes: Attributes): void {
  const { span, ended } = tracing.steps.get(account) ?? {};
  spanEvent(tracing, ended ? tracing.run : (span ?? tracing.run), name, {
    'reconverge.account': account,
    ...attributes,
  });
}
