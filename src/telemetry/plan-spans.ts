// Span events of planning: proposals, refusals, grafts, repairs and convergence.

import { unreachable } from '../base/fault.ts';
import { defined } from '../base/json.ts';
import type { EventOf } from '../engine/record/event.schema.ts';
import type { Attributes } from './attributes.ts';
import { addIssueEvents, addStepEvent, converge, endAttempt, spanOf } from './step-spans.ts';
import { addStep, addTo, charge, content, spanEvent, type Tracing, tracedStep } from './tracing.ts';

export function tracePlan(
  tracing: Tracing,
  event: EventOf<
    | 'replan.started'
    | 'plan.requested'
    | 'plan.proposed'
    | 'needs.asked'
    | 'fragment.rejected'
    | 'fragment.grafted'
    | 'convergence.judged'
    | 'lock.differed'
  >,
): void {
  switch (event.type) {
    case 'replan.started':
      return startReplan(tracing, event);
    case 'plan.requested':
      return addStepEvent(tracing, event.step, event.type, { 'reconverge.context.tokens': event.tokens });
    case 'plan.proposed':
      charge(tracing, tracedStep(tracing, event.step), event.bill);
      return addStepEvent(tracing, event.step, event.type);
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
      return addStepEvent(tracing, event.step, event.type, { 'reconverge.lock.message': event.message });
    default:
      return unreachable(event);
  }
}

function graft(tracing: Tracing, event: EventOf<'fragment.grafted'>): void {
  const { planner: id, fragment, rationale, steps, score, warnings, amount } = event;
  const planner = tracedStep(tracing, id);
  const span = spanOf(tracing, planner);
  const plan = planner.tried ?? span;
  // A review may take longer than the attempt.
  const open = planner.attempt ?? span;
  planner.plan = plan;
  planner.steps = steps.length;
  addIssueEvents(tracing, open, warnings ?? []);
  const grafted = { 'reconverge.fragment.digest': fragment, 'reconverge.phase.steps': steps.length };
  spanEvent(tracing, open, event.type, { ...grafted, ...defined({ 'reconverge.fragment.score': score }) });
  tracing.operations.push({
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
  addIssueEvents(tracing, step.attempt ?? spanOf(tracing, step), issues);
  const code = issues.find(({ severity }) => severity === 'error')?.code;
  endAttempt(tracing, step, 'rejected', code === undefined ? undefined : { ...rejected, code });
}

const rejected = { message: 'the fragment did not pass its review', retry: 'may' } as const;

/** Puts the span of a repair under the phase that it plans again, with a link to the replaced plan. */
function startReplan(tracing: Tracing, event: EventOf<'replan.started'>): void {
  const { step, planner, target, scope, failing, trial } = event;
  const of = planner === undefined ? undefined : tracedStep(tracing, planner);
  const repairs: Attributes = {
    ...defined({ 'reconverge.replan.of': planner }),
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

/** Ends the phases that converge at a step. */
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
