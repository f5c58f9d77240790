// Prints one plain line for each event, for logs and pipes.

import { counted } from '../base/counted.ts';
import { unreachable } from '../base/fault.ts';
import { type Issue, pathText } from '../base/issue.ts';
import { durationText, type Instant } from '../base/quantity.ts';
import { limitable } from '../budget/amount.ts';
import { limitText } from '../budget/limit-text.ts';
import { needText } from '../context/needs/need-text.ts';
import type { Event, EventOf, Recorded } from '../engine/record/event.schema.ts';
import type { Verdict } from '../engine/record/gate-events.schema.ts';
import { exhaustionText } from '../engine/state/exhaustion.ts';
import { expiryText } from './expiry-text.ts';
import { grantText } from './grant-text.ts';
import { instantText } from './instant-text.ts';
import { span } from './line.ts';

/** `+1.2s  step.completed  plan_recon.1/sniff_a  verified`; the time counts from `since`. */
export function eventLine({ at, event }: Recorded, since: Instant): string {
  const details = detailsOf(event, at).filter((detail) => detail !== '');
  return span([`+${durationText(at - since)}`.padEnd(8), event.type.padEnd(20), ...details].join('  ').trimEnd()).text;
}

function detailsOf(event: Event, at: Instant): readonly string[] {
  switch (event.type) {
    case 'run.started':
      return [
        event.run,
        `in ${event.folder}`,
        event.parent === undefined ? '' : `for ${event.parent.step} of ${event.parent.run}`,
      ];
    case 'run.forked':
      return [
        `from ${event.from} after event ${event.at}`,
        event.changes.join(', '),
        `by ${event.by}`,
        event.why ?? '',
      ];
    case 'run.attached':
      return [`by ${event.by}`];
    case 'run.paused':
    case 'run.resumed':
    case 'run.cancelling':
      return [`by ${event.by}`, event.why ?? ''];
    case 'run.ended':
      return [event.status, event.partial ? 'partial' : '', causeOf(event.failure)];
    case 'gate.opened':
      return [
        event.gate,
        `${event.kind} of ${event.step}`,
        event.prompt,
        event.expiresAt === undefined ? '' : `until ${instantText(event.expiresAt, at)}`,
      ];
    case 'gate.decided':
      return [event.gate, verdicts[event.verdict], grantText(event.grant), `by ${event.by}`, event.why ?? ''];
    case 'gate.expired':
      return [event.gate, `nobody has answered: ${expiryText[event.outcome]}`];
    case 'step.held':
      return [event.step, `for ${event.gate} too`];
    case 'steps.released':
      return [event.steps.join(' ')];
    case 'budget.raised':
      return [event.account, raisedText(event), `by ${event.by}`, event.why ?? ''];
    case 'lock.differed':
      return [event.step, event.message];
    case 'budget.warned':
      return [event.account, `${event.percent}% of ${event.resource} is spent`];
    case 'budget.exhausted':
      return [event.account, exhaustionText(event)];
    default:
      return detailsOfWork(event);
  }
}

type WorkEvent = Exclude<
  Event,
  {
    readonly type:
      | `run.${string}`
      | `budget.${string}`
      | `gate.${string}`
      | 'lock.differed'
      | 'step.held'
      | 'steps.released';
  }
>;

/** Events of attempts, of their calls, and of plans. */
function detailsOfWork(event: WorkEvent): readonly string[] {
  switch (event.type) {
    case 'attempt.started':
      return [
        event.step,
        nth(event.attempt),
        (event.delivery ?? 1) > 1 ? `delivery ${event.delivery}` : '',
        startsText(event),
      ];
    case 'attempt.resumed':
    case 'attempt.lost':
      return [event.step, `attempt ${event.attempt}`];
    case 'attempt.failed':
      return [event.step, `attempt ${event.attempt}`, causeOf(event.failure)];
    case 'call.started':
      return [
        event.step,
        callName(event.call, event.attempt),
        `${event.purpose ?? event.kind} ${event.name}`,
        startsText(event),
      ];
    case 'call.ended':
      return [event.step, callName(event.call, event.attempt), causeOf(event.failure)];
    case 'verification.failed':
      return [event.step, `attempt ${event.attempt}`, event.diagnosis];
    case 'plan.requested':
      return [event.step, nth(event.attempt), `${counted(event.tokens, 'token')} of context`];
    case 'plan.proposed':
      return [event.step, nth(event.attempt)];
    case 'needs.asked':
      return [event.step, nth(event.attempt), event.needs.map(needText).join(' ')];
    case 'fragment.rejected':
      return [event.step, nth(event.attempt), event.issues.map(placedCode).join(', ')];
    case 'fragment.grafted':
      return [event.planner, `${counted(event.steps.length, 'step')} before ${event.target}`, event.rationale];
    case 'capability.registered':
      return [event.step, event.capability.name, event.capability.description];
    default:
      return detailsOfSteps(event);
  }
}

type StepEvent = Exclude<
  WorkEvent,
  {
    readonly type:
      | `attempt.${string}`
      | `call.${string}`
      | `plan.${string}`
      | `fragment.${string}`
      | 'verification.failed'
      | 'needs.asked'
      | 'capability.registered';
  }
>;

function detailsOfSteps(event: StepEvent): readonly string[] {
  switch (event.type) {
    case 'step.completed':
      return [
        event.step,
        event.verified ? 'verified' : '',
        event.partial ? 'partial' : '',
        event.tokens === undefined ? '' : `${counted(event.tokens.in, 'token')} made ${event.tokens.out}`,
      ];
    case 'step.failed':
      return [event.step, event.repair === undefined ? '' : `taken up by ${event.repair}`, causeOf(event.failure)];
    case 'step.skipped':
      return [
        event.step,
        event.reason,
        event.root === undefined ? '' : `because of ${event.root}`,
        causeOf(event.failure),
      ];
    case 'steps.cancelled':
      return [event.steps.join(' ')];
    case 'step.adopted':
      return [event.step, `from ${event.from}${event.run === undefined ? '' : ` of run ${event.run}`}`];
    case 'step.resolved':
    case 'step.retried':
      return [event.step, `by ${event.by}`, event.why ?? ''];
    case 'steps.superseded':
      return [event.steps.join(' '), `by ${event.by}`];
    case 'fan_out.expanded':
      return [event.step, counted(event.items.length, 'item')];
    case 'replan.started': {
      const whose = event.failing.length === 0 ? 'the whole phase' : event.failing.join(' ');
      return [event.step, `repairs ${whose}`, event.scope, event.trial > 1 ? `trial ${event.trial}` : ''];
    }
    case 'convergence.judged': {
      const { succeeded, expected, partial, reason } = event.convergence;
      return [
        event.step,
        `${succeeded} of ${expected}`,
        event.satisfied ? 'fires' : 'fails',
        reason,
        partial ? 'partial' : '',
      ];
    }
    default:
      return unreachable(event);
  }
}

const verdicts: Readonly<Record<Verdict, string>> = {
  approve: 'approved',
  reject: 'rejected',
  answer: 'answered',
  edit: 'edited',
};

/** `cost_usd to $5.00, time to 10m` */
function raisedText({ limit, wallClock, planningDepth }: EventOf<'budget.raised'>): string {
  const limits = limitable.flatMap((resource) => {
    const raised = limit[resource];
    return raised === undefined ? [] : [`${resource} to ${limitText(resource, raised)}`];
  });
  return [
    ...limits,
    ...(wallClock === undefined ? [] : [`time to ${durationText(wallClock)}`]),
    ...(planningDepth === undefined ? [] : [`planning_depth to ${planningDepth}`]),
  ].join(', ');
}

/** `SHAPE_WRONG_VALUE at steps[0].expires_in` */
function placedCode({ code, path }: Issue): string {
  return path.length === 0 ? code : `${code} at ${pathText(path)}`;
}

function nth(attempt: number): string {
  return attempt > 1 ? `attempt ${attempt}` : '';
}

function causeOf(failure: { readonly code: string; readonly message: string } | undefined): string {
  return failure === undefined ? '' : `${failure.code}: ${failure.message}`;
}

function startsText({ child }: { readonly child?: string }): string {
  return child === undefined ? '' : `starts run ${child}`;
}

function callName(call: number, attempt: number): string {
  return `call ${attempt}.${call}`;
}
