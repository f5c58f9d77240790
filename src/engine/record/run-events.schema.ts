// The events of a run as a whole: its start, its forks, its drivers, the orders to pause and cancel, its end.
import { count, flag, list, map, oneOf, optional, record, type Static, text } from '../../base/builders.schema.ts';
import { event, failure, kept, orderKeys } from './event-parts.schema.ts';

export const parent = map(
  {
    run: text("The parent run's id."),
    step: text('The step that started this run.'),
    key: text('The idempotency key of that call. Keys of calls that change the world begin with it.'),
  },
  'The run whose step has started this one.',
);
export type Parent = Static<typeof parent>;

export const finishedWork = map(
  {
    run: text('The run that did the work.'),
    step: text('The step that did the work.'),
    capability: text('The capability that was called; of an agent all that defines the agent.'),
    key: text('Digest of capability, input and contract.'),
    value: kept('The result.'),
  },
  'Finished work, known by its content.',
);
export type FinishedWork = Static<typeof finishedWork>;

export const orderOutcome = map(
  {
    says: text('The order, in the words of the goal.'),
    outcome: oneOf(
      ['done', 'not_done', 'not_needed'],
      '`not_done`: no step did it; the run then completed in part. `not_needed`: its condition did not hold.',
    ),
    steps: list(
      map({
        step: text("The step's id."),
        by: optional(text('The capability, the agent or the person that did it.')),
        status: text("The step's status, or the reason why it was skipped."),
      }),
      'The steps that did it, or that should have.',
    ),
    why: optional(text('The reason why nothing did it.')),
  },
  'An order of a goal, and what was done about it.',
);
export type OrderOutcome = Static<typeof orderOutcome>;

export const runEvents = [
  event('run.started', 'A run begins, with the template and the input that it keeps for good.', {
    run: text("The run's id."),
    template: text('Digest of the resolved template; its JSON is a blob.'),
    input: kept("The run's input."),
    folder: text('The folder that relative paths start from.'),
    by: text('The person or program that started the run.'),
    reuse: optional(list(finishedWork, 'Finished work of another run that this run may adopt.')),
    given: optional(record(kept(), 'Results that steps of plans have already, by the names of the steps.')),
    traceparent: optional(text('The W3C trace context that the run is part of.')),
    tracestate: optional(text('The vendor data of that trace context.')),
    learned: optional(kept('The experience of earlier runs; every planner of this run is told the same.')),
    parent: optional(parent),
  }),
  event('run.forked', 'All events before this one come from another run; from here on the run goes its own way.', {
    from: text('The id of the other run.'),
    at: count('Version of the last event that both runs share.'),
    changes: list(text(), 'The differences to the other run, in words.'),
    ...orderKeys,
  }),
  event('run.attached', 'Another driver takes the run over; the time since the event before does not count.', {
    by: text('The person or program that drives the run now.'),
    lead: optional(
      count("Milliseconds that the run's time is ahead of the machine's clock, which was set back; absent: none."),
    ),
    traceparent: optional(text('The W3C trace context of the program that resumed the run.')),
  }),
  event('run.paused', 'The run starts nothing new until it is resumed.', orderKeys),
  event('run.resumed', 'A paused run goes on.', orderKeys),
  event('run.cancelling', 'The run is cancelled, and its steps are about to end.', orderKeys),
  event('run.ended', 'No step is live any more.', {
    status: oneOf(['completed', 'failed', 'cancelled'], 'How the run ended.'),
    partial: flag('Something that was expected did not succeed.'),
    output: kept("The run's output."),
    failure: optional(failure),
    orders: optional(list(orderOutcome, 'For a goal without a template: what was done about each of its orders.')),
  }),
] as const;
