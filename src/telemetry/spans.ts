// The trace of a run as a function of its events: each event in turn becomes what is told of spans.

import { unreachable } from '../base/fault.ts';
import { defined } from '../base/json.ts';
import type { Event, EventOf, Recorded } from '../engine/record/event.schema.ts';
import type { Attributes } from './attributes.ts';
import { endCall, startCall } from './call-spans.ts';
import { closeGate, closeGates, holdFor, letGo, openGate } from './gate-spans.ts';
import { type SpanOperation, told } from './span-operation.ts';
import { budgetNow, usedBy } from './spent.ts';
import { closeAll, converge, endAttempt, endStep, spanOf, startAttempt, tellIssues } from './step-spans.ts';
import { spanIds, traceContext } from './trace-ids.ts';
import {
  addStep,
  addTo,
  charge,
  content,
  endSpan,
  spanEvent,
  startSpan,
  type Tracing,
  textOf,
  tracedStep,
} from './tracing.ts';

/** Takes in the next event of the run, and answers what it means for its spans, in order. */
export function spansOf(tracing: Tracing, { version, at, event }: Recorded): readonly SpanOperation[] {
  tracing.version = version;
  // Clocks are set back; what is told never is.
  tracing.at = Math.max(tracing.at, at);
  tracing.started = 0;
  tracing.told = [];
  tell(tracing, event);
  return tracing.told;
}

function tell(tracing: Tracing, event: Event): void {
  switch (event.type) {
    case 'run.started':
      return startRun(tracing, event);
    case 'run.attached':
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
    case 'attempt.started': {
      const step = tracedStep(tracing, event.step);
      startAttempt(tracing, step, event);
      step.reserved = event.reserved;
      return;
    }
    case 'attempt.resumed': {
      const step = tracedStep(tracing, event.step);
      letGo(tracing, event.step);
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
    case 'call.started':
      return startCall(tracing, tracedStep(tracing, event.step), event);
    case 'call.ended':
      return endCall(tracing, tracedStep(tracing, event.step), event);
    case 'verification.failed':
      return tellOf(tracing, event.step, event.type, content(tracing, { 'reconverge.diagnosis': event.diagnosis }));
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
      const attributes = told({ 'reconverge.step.reason': reason, 'reconverge.step.root': root });
      return endStep(tracing, tracedStep(tracing, event.step), { status: 'skipped', failure, bill, attributes });
    }
    case 'steps.cancelled':
      for (const id of event.steps) {
        const step = tracedStep(tracing, id);
        endStep(tracing, step, { status: 'cancelled', bill: event.spent?.[id] ?? step.reserved });
      }
      return;
    case 'steps.superseded':
      for (const id of event.steps) supersede(tracing, id, event.by);
      return;
    case 'fan_out.expanded':
      return expand(tracing, event);
    case 'capability.registered':
      return tellOf(tracing, event.step, event.type, { 'reconverge.capability': event.capability.name });
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
      return holdFor(tracing, event.gate, event.step);
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
    case 'steps.released':
      for (const id of event.steps) tellOf(tracing, id, 'step.released');
      return;
    case 'replan.started':
      return startReplan(tracing, event);
    case 'plan.requested':
      return tellOf(tracing, event.step, event.type, { 'reconverge.context.tokens': event.tokens });
    case 'plan.proposed':
      charge(tracing, tracedStep(tracing, event.step), event.bill);
      return tellOf(tracing, event.step, event.type);
    case 'needs.asked': {
      const step = tracedStep(tracing, event.step);
      charge(tracing, step, event.bill);
      return endAttempt(tracing, step, 'asked');
    }
    case 'fragment.rejected':
      return rejectFragment(tracing, event);
    case 'fragment.grafted':
      return graft(tracing, event);
    case 'convergence.judged':
      return judge(tracing, event);
    case 'lock.differed':
      return tellOf(tracing, event.step, event.type, { 'reconverge.lock.message': event.message });
    case 'budget.warned': {
      const { account, resource, percent } = event;
      const figures = { 'reconverge.percent': percent, ...budgetNow(tracing) };
      return tellAccount(tracing, account, event.type, { 'reconverge.resource': resource, ...figures });
    }
    case 'budget.exhausted': {
      const { account, resource } = event;
      return tellAccount(tracing, account, event.type, { 'reconverge.resource': resource, ...budgetNow(tracing) });
    }
    case 'budget.raised': {
      const { account, limit, by } = event;
      if (account === RUN) tracing.limit = { ...tracing.limit, ...limit };
      return tellAccount(tracing, account, event.type, { 'reconverge.by': by, ...budgetNow(tracing) });
    }
    default:
      return unreachable(event);
  }
}

const RUN = 'run';

const lost = { code: 'WORKER_LOST', message: 'nobody came back with an outcome', retry: 'may' } as const;

function startRun(tracing: Tracing, { run, by, traceparent, parent }: EventOf<'run.started'>): void {
  const { template, at } = tracing;
  tracing.context = traceContext(run, at, traceparent);
  tracing.ids = spanIds(run, at);
  addTo(tracing.spent, { steps: template.steps.length });
  tracing.run = startSpan(tracing, {
    kind: 'run',
    name: `run ${template.name}`,
    parent: tracing.context.parent,
    attributes: told({
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

function endRun(tracing: Tracing, { status, partial, failure }: EventOf<'run.ended'>): void {
  closeGates(tracing);
  closeAll(tracing, 'run ended');
  const figures = { ...usedBy(tracing.spent), ...budgetNow(tracing) };
  endSpan(tracing, tracing.run, { 'reconverge.status': status, 'reconverge.partial': partial, ...figures }, failure);
}

function completeStep(tracing: Tracing, { step: id, value, bill, verified }: EventOf<'step.completed'>): void {
  const step = tracedStep(tracing, id);
  const tells = tracing.template.captureContent === true;
  const result = tells ? content(tracing, { 'reconverge.step.result': textOf(tracing, value) }) : undefined;
  const attributes = verified ? { 'reconverge.step.verified': true, ...result } : result;
  endStep(tracing, step, { status: 'completed', bill, attributes });
}

/** A step that never began is told all the same: it is what the repair took the place of. */
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

function graft(tracing: Tracing, event: EventOf<'fragment.grafted'>): void {
  const { planner: id, fragment, rationale, steps, score, warnings, amount } = event;
  const planner = tracedStep(tracing, id);
  const span = spanOf(tracing, planner);
  const plan = planner.tried ?? span;
  // Who reviewed the plan may have taken longer than the attempt.
  const open = planner.attempt ?? span;
  planner.plan = plan;
  planner.steps = steps.length;
  tellIssues(tracing, open, warnings ?? []);
  const grafted = { 'reconverge.fragment.digest': fragment, 'reconverge.phase.steps': steps.length };
  spanEvent(tracing, open, event.type, { ...grafted, ...told({ 'reconverge.fragment.score': score }) });
  tracing.told.push({
    op: 'attributes',
    span,
    attributes: {
      'reconverge.fragment.digest': fragment,
      ...content(tracing, { 'reconverge.rationale': rationale }),
    },
  });
  addTo(tracing.spent, { steps: amount.steps ?? 0, ...(planner.repairs === undefined ? { phases: 1 } : {}) });
  const depth = planner.depth + 1;
  const links = [{ to: plan, relation: 'brought' }] as const;
  for (const each of steps) {
    const { spec, target } = each;
    addStep(tracing, each.id, spec, { phase: id, depth, links, ...defined({ target }) });
  }
}

function rejectFragment(tracing: Tracing, { step: id, issues, bill }: EventOf<'fragment.rejected'>): void {
  const step = tracedStep(tracing, id);
  charge(tracing, step, bill);
  tellIssues(tracing, step.attempt ?? spanOf(tracing, step), issues);
  const code = issues.find(({ severity }) => severity === 'error')?.code;
  endAttempt(tracing, step, 'rejected', code === undefined ? undefined : { ...rejected, code });
}

const rejected = { message: 'the fragment did not pass its review', retry: 'may' } as const;

/** A repair hangs in the phase that it plans again, and is linked to the plan that it replaces. */
function startReplan(tracing: Tracing, event: EventOf<'replan.started'>): void {
  const { step, planner, target, scope, failing, trial } = event;
  const of = planner === undefined ? undefined : tracedStep(tracing, planner);
  const repairs: Attributes = {
    ...told({ 'reconverge.replan.of': planner }),
    'reconverge.replan.scope': scope,
    'reconverge.replan.trial': trial,
    'reconverge.replan.failing': [...failing],
  };
  const above = of === undefined || of.ended ? tracing.run : spanOf(tracing, of);
  spanEvent(tracing, above, event.type, { 'reconverge.replan.step': step, ...repairs });
  const added = addStep(tracing, step, of?.spec ?? tracing.template.repair, {
    phase: of?.phase,
    target,
    depth: of?.depth ?? 1,
    repairs,
    replaces: planner,
    links: of?.plan === undefined ? [] : [{ to: of.plan, relation: 'replaces' }],
  });
  addTo(tracing.spent, { steps: 1, replans: 1 });
  spanOf(tracing, added);
}

/** The phases that come together here are over; the step goes on, or fails with what it was told. */
function judge(tracing: Tracing, { step: id, satisfied, convergence }: EventOf<'convergence.judged'>): void {
  const { expected, succeeded, partial, reason } = convergence;
  converge(tracing, id, satisfied ? 'converged' : 'unmet');
  spanEvent(tracing, spanOf(tracing, tracedStep(tracing, id)), 'convergence.judged', {
    'reconverge.convergence.satisfied': satisfied,
    'reconverge.convergence.reason': reason,
    'reconverge.convergence.expected': expected,
    'reconverge.convergence.succeeded': succeeded,
    'reconverge.partial': partial,
  });
}

/** In the attempt that is open, else in the step. */
function tellOf(tracing: Tracing, id: string, name: string, attributes: Attributes = {}): void {
  const step = tracedStep(tracing, id);
  spanEvent(tracing, step.attempt ?? spanOf(tracing, step), name, attributes);
}

/** Accounts are the run's and those of planning steps. */
function tellAccount(tracing: Tracing, account: string, name: string, attributes: Attributes): void {
  const { span, ended } = tracing.steps.get(account) ?? {};
  spanEvent(tracing, ended ? tracing.run : (span ?? tracing.run), name, {
    'reconverge.account': account,
    ...attributes,
  });
}
