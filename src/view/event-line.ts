// One plain line for each event, for listeners without a screen.

import { unreachable } from '../base/fault.ts';
import { durationText, type Instant } from '../base/quantity.ts';
import type { Event, Recorded } from '../engine/event.ts';
import { exhaustionText } from '../engine/exhaustion.ts';
import { span } from './line.ts';

/** `+1.2s  step.completed  plan_recon.1/sniff_a  verified`; the time counts from `since`. */
export function eventLine({ at, event }: Recorded, since: Instant): string {
  const details = detailsOf(event).filter((detail) => detail !== '');
  return span([`+${durationText(at - since)}`.padEnd(8), event.type.padEnd(20), ...details].join('  ').trimEnd()).text;
}

function detailsOf(event: Event): readonly string[] {
  switch (event.type) {
    case 'run.started':
      return [event.run, `in ${event.folder}`];
    case 'run.attached':
      return [`by ${event.by}`];
    case 'run.paused':
    case 'run.resumed':
    case 'run.cancelling':
      return [`by ${event.by}`, event.why ?? ''];
    case 'run.ended':
      return [event.status, event.partial ? 'partial' : '', causeOf(event.failure)];
    case 'attempt.started':
      return [event.step, nth(event.attempt), (event.delivery ?? 1) > 1 ? `delivery ${event.delivery}` : ''];
    case 'attempt.lost':
      return [event.step, `attempt ${event.attempt}`];
    case 'attempt.failed':
      return [event.step, `attempt ${event.attempt}`, causeOf(event.failure)];
    case 'verification.failed':
      return [event.step, `attempt ${event.attempt}`, event.diagnosis];
    case 'step.completed':
      return [event.step, event.verified ? 'verified' : ''];
    case 'step.failed':
      return [event.step, causeOf(event.failure)];
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
      return [event.step, `from ${event.run === undefined ? '' : `${event.run} `}${event.from}`];
    case 'step.resolved':
    case 'step.retried':
      return [event.step, `by ${event.by}`, event.why ?? ''];
    case 'steps.superseded':
      return [event.steps.join(' '), `by ${event.by}`];
    case 'fan_out.expanded':
      return [event.step, `${event.items.length} steps`];
    case 'gate.opened':
      return [event.gate, event.kind, event.step, event.prompt];
    case 'gate.decided':
      return [event.gate, event.verdict, `by ${event.by}`, event.why ?? ''];
    case 'gate.expired':
      return [event.gate, event.outcome];
    case 'step.held':
      return [event.step, `for ${event.gate}`];
    case 'steps.released':
      return [event.steps.join(' ')];
    case 'replan.started':
      return [event.step, event.scope, event.failing.length === 0 ? '' : `for ${event.failing.join(' ')}`];
    case 'budget.raised':
      return [event.account, `by ${event.by}`, event.why ?? ''];
    case 'plan.requested':
      return [event.step, nth(event.attempt), `${event.tokens} tokens of context`];
    case 'plan.proposed':
      return [event.step, nth(event.attempt)];
    case 'fragment.rejected':
      return [event.step, nth(event.attempt), event.issues.map(({ code }) => code).join(' ')];
    case 'fragment.grafted':
      return [event.planner, `${event.steps.length} steps before ${event.target}`, event.rationale];
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
    case 'budget.warned':
      return [event.account, `${event.percent}% of ${event.resource} is spent`];
    case 'budget.exhausted':
      return [event.account, exhaustionText(event)];
    default:
      return unreachable(event);
  }
}

function nth(attempt: number): string {
  return attempt > 1 ? `attempt ${attempt}` : '';
}

function causeOf(failure: { readonly code: string; readonly message: string } | undefined): string {
  return failure === undefined ? '' : `${failure.code}: ${failure.message}`;
}
