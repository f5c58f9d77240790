// The JSON answers of `why`: a step and its history, the intents of a run, the receipts of a planner, one call.

import {
  anyOf,
  count,
  flag,
  json,
  list,
  map,
  number,
  oneOf,
  optional,
  record,
  reference,
  type Schema,
  type Static,
  text,
} from '../../base/builders.schema.ts';
import { failure, issue } from '../../base/issue.schema.ts';
import { kept } from '../../engine/record/event-parts.schema.ts';
import { gateKind, grant, verdict } from '../../engine/record/gate-events.schema.ts';
import type { CallRecord } from '../../engine/state/call-record.ts';
import type { PerformerChoice } from '../../goals/intent.ts';
import { amount, expiry, form, partial, stepType, takenUp } from '../../view/shown.schema.ts';
import type { GoalNode } from '../../view/why/intent-tree.ts';

const run = text('The id of the run.');
const template = text('The name of its template.');

const chosen: Schema<PerformerChoice> = map(
  {
    by: oneOf(['named', 'kind', 'proven', 'model', 'words', 'person', 'nested', 'missing', 'folded', 'ranked']),
    capability: optional(text()),
    agent: optional(text()),
    margin: optional(number('The lead of the best candidate, in journals of earlier versions.')),
    candidates: optional(
      list(
        map({ name: text(), score: number(), alike: optional(number()), veto: optional(text()) }),
        'The best candidates, best first.',
      ),
    ),
    learned: optional(text('The lessons that counted.')),
  },
  'The performer, and the reason for the choice.',
);

export const intent = map({
  says: text('The words of the goal.'),
  shape: text(),
  steps: list(text(), 'The steps of the plan that serve it.'),
  after: list(count(), 'The places of the intents that it depends on.'),
  chosen: optional(chosen),
  issues: optional(list(issue(), 'Words that no call takes.')),
});

const failing = list(map({ step: text(), code: text(), message: text() }));
export const planDiff = map({
  added: list(text(), 'Steps that only the new plan has.'),
  removed: list(text(), 'Steps that only the old plan has.'),
  changed: list(map({ step: text(), keys: list(text()) }), 'Steps that both have, with the keys that differ.'),
  same: list(text(), 'Steps that did not change.'),
});

const repair = map(
  {
    planner: optional(text('The planning step whose plan is repaired; absent: a step of the template failed.')),
    scope: oneOf(['tail', 'phase']),
    trial: count('The number of repairs so far.'),
    failing,
    trials: list(map({ planner: text(), rationale: text(), failed: failing }), 'Earlier plans, oldest first.'),
    fragment: optional(text('The digest of the plan that failed.')),
    diff: optional(planDiff),
  },
  'The plan that a repair plans again.',
);

const billKeys = { bill: optional(amount('The amount used; dollars.')) };
const callKeys = {
  call: count('Counts from 1.'),
  kind: oneOf<CallRecord['kind']>(['model', 'embeddings', 'capability', 'look_up', 'files', 'discover']),
  name: text('The model profile or the capability.'),
  purpose: optional(oneOf(['plan', 'turn', 'judge', 'summary', 'critic'])),
  prompt: optional(text('The prompt: its name, version and digest.')),
  child: optional(text('The run that it started.')),
  startedAt: count('Milliseconds since 1970.'),
  endedAt: optional(count('Milliseconds since 1970.')),
  failure: optional(failure()),
  ...billKeys,
};
const call = map({
  ...callKeys,
  request: text('The digest of the request.'),
  value: optional(kept('The reply.')),
});

const attempt = map({
  attempt: count('Counts from 1.'),
  delivery: count('How often the attempt was handed out.'),
  child: optional(text('The run that it started.')),
  startedAt: count('Milliseconds since 1970.'),
  endedAt: optional(count('Milliseconds since 1970.')),
  end: optional(text('The end: completed, failed, lost, rejected, …')),
  failure: optional(failure()),
  diagnosis: optional(text('The reason why the result was refused.')),
  issues: optional(list(issue(), 'The findings about its plan.')),
  calls: list(call, 'Its calls of models and tools.'),
  ...billKeys,
  assumed: optional(amount('The part of the bill that is assumed, since the delivery was lost.')),
});

const whyGate = map({
  gate: text("The gate's id."),
  kind: gateKind,
  prompt: text('The question.'),
  openedFor: optional(text('The step that the gate was opened for, if not this one.')),
  since: count('Milliseconds since 1970.'),
  proposed: optional(count('The event that proposed the plan.')),
  end: oneOf(['open', 'decided', 'expired', 'closed']),
  at: optional(count('Milliseconds since 1970.')),
  verdict: optional(verdict),
  value: optional(kept('The answer, or the edited plan.')),
  grant: optional(grant),
  by: optional(text('The person who decided.')),
  why: optional(text('The reason.')),
  outcome: optional(expiry),
  decided: optional(count('The event that decided it.')),
});

const feeder = { step: text(), of: optional(text('The fan-out of an item.')), code: text(), message: text() };
const convergence = map(
  {
    satisfied: flag('The policy was met.'),
    expected: count(),
    succeeded: count(),
    failed: list(map({ ...feeder, root: text('The step that failed first.') })),
    tolerated: optional(list(map(feeder))),
    skipped: list(map({ step: text(), reason: text() })),
    partial,
    reason: oneOf(['empty', 'all_success', 'all_settled', 'quorum', 'budget', 'unmet']),
    by_phase: record(map({ expected: count(), succeeded: count(), failed: count() })),
  },
  'The branches that ended at the step, and the verdict on them.',
);

export const why = map({
  run,
  template,
  purpose: optional(text("The template's description.")),
  step: text("The step's id."),
  type: stepType,
  description: optional(text('The description of the step.')),
  capability: optional(text('The capability that it calls.')),
  agent: optional(text('The agent that performs it.')),
  status: text('The status, in words.'),
  origins: list(
    map({
      planner: text('The planning step.'),
      goal: optional(text('The goal as the planner was given it.')),
      rationale: text("The planner's reason."),
      fragment: text('The digest of the plan.'),
      target: text('The step where the plan comes together.'),
      depth: count('The level of nested planning.'),
      repair: optional(repair),
      strategy: optional(text('The strategy that took the goal apart.')),
      order: optional(text('The reason why strategies were tried in this order.')),
      tried: optional(list(map({ strategy: text(), why: text() }), 'Strategies that were not sure enough.')),
      intent: optional(intent),
    }),
    'The plans that brought the step, outermost first; empty for an authored step.',
  ),
  item: optional(map({ of: text('The fan-out.'), index: count(), size: text() }, 'The place in a fan-out.')),
  repair: optional(repair),
  supersededBy: optional(text('The repair that plans it again.')),
  dependencies: list(
    map({ step: text(), status: text(), implied: flag('Only a reference to its result brought it.') }),
    'The steps that it waits for.',
  ),
  references: record(text(), 'The names in its references, and the ids that they mean.'),
  neededBy: list(text(), 'The steps that wait for it.'),
  attempts: list(attempt, 'Its attempts.'),
  gates: list(whyGate, 'The questions to people about it.'),
  orders: list(
    map({ order: oneOf(['resolved', 'retried']), at: count(), by: text(), why: optional(text()) }),
    'The orders of operators.',
  ),
  adopted: optional(
    map({ from: text(), run: optional(text()), input: text() }, 'The step whose finished work it took over.'),
  ),
  failure: optional(failure('The failure of the step.')),
  takenUp: optional(takenUp),
  root: optional(
    map(
      { step: text(), status: text(), failure: optional(failure()) },
      'The step whose end is the reason why it did not run.',
    ),
  ),
  verified: flag('The result passed its predicate.'),
  coerced: list(text(), 'The paths where the result was mended to fit its contract.'),
  warnings: list(issue(), "The review's findings about the plan that it brought."),
  score: optional(number("The critic's score of that plan, from 1 to 10.")),
  understood: list(text(), "The corrections of the plan's notation."),
  grew: optional(list(text(), 'The steps that it brought in.')),
  rationale: optional(text("The planner's reason for the plan.")),
  items: optional(text('Of a fan-out: its items by status, in words.')),
  convergence: optional(convergence),
});
export type WhyAnswer = Static<typeof why>;

export const goalSchema: Schema<GoalNode> = map(
  {
    planner: text('The planning step.'),
    status: text('Its status, in words.'),
    goal: optional(text('The goal.')),
    strategy: optional(text('The strategy that took it apart.')),
    rationale: optional(text("The planner's reason.")),
    intents: list(
      map({
        says: text('The words of the goal.'),
        after: list(count(), 'The places of the intents that it depends on.'),
        chosen: optional(chosen),
        steps: list(map({ step: text(), status: text() })),
        goals: list(reference<GoalNode>('GoalNode', 'goal')(), 'The goals that were planned for it.'),
      }),
      'The parts of the goal.',
    ),
  },
  'A goal that was planned, and its parts.',
);
const goal = reference<GoalNode>('GoalNode', 'goal');

export const intents = map({ run, template, goals: list(goal(), 'The goals that no other goal brought in.') });
export type IntentsAnswer = Static<typeof intents>;

const change = map({ before: count(), after: count() });
export const receipts = list(
  map({
    attempt: count('Counts from 1.'),
    tokens: count('The tokens of the whole packet.'),
    items: list(
      map({
        ref: map({ step: text(), attempt: count(), digest: optional(text()) }),
        need: optional(text('The need that it is shown for.')),
        shown: oneOf(['included', 'shrunk', 'outlined', 'left out']),
        inferred: flag('Nobody declared the shape of the result.'),
        bytes: change,
        tokens: change,
      }),
      'The results before the step, and how much of each was shown.',
    ),
    missing: list(map({ need: text(), why: text() }), 'Needs of which nothing was shown.'),
    full: optional(map({ results: count(), bytes: count() }, 'For a planner that reads every result.')),
    summary: optional(
      anyOf(
        [map({ tokens: count() }), map({ why: text() })],
        'The summary by a model, or the reason why there is none.',
      ),
    ),
  }),
);
export type ReceiptsAnswer = Static<typeof receipts>;

const prefix = map(
  {
    step: text('The step of the previous call.'),
    call: text('Its number, for example `1.2`.'),
    messages: count('The whole messages that both requests have.'),
    characters: count('The characters that both requests begin with.'),
    share: number('The part of the request that these characters are, from 0 to 1.'),
  },
  'The beginning that the previous call of the step, or of the same prompt, has too.',
);

export const callAnswer = map({
  ...callKeys,
  prefix: optional(prefix),
  rest: optional(list(map({ role: text(), content: text() }), 'The messages of the request after that beginning.')),
  request: json('The request.'),
  reply: optional(json('The reply.')),
});
export type CallAnswer = Static<typeof callAnswer>;

export const packet = map({
  planner: map(
    {
      step: text('The planning step.'),
      attempt: count('Counts from 1.'),
      tokens: count('The tokens of the packet, without large results that a rule or a capability reads by reference.'),
      packet: json('The packet, with all results that the planner could read.'),
      budget: json('The remaining budget of the phase; money in dollars, time in seconds.'),
      bounds: json('The bounds of the plan.'),
      input: json("The run's input."),
    },
    'The view of a planner in its last attempt.',
  ),
});
export type PacketAnswer = Static<typeof packet>;
export type PlannerPacket = PacketAnswer['planner'];

export const whyForms = [
  form(why),
  form(intents, 'without STEP:'),
  form(receipts, 'with `--receipts`, a list of:'),
  form(packet, 'with `--packet`:'),
  form(callAnswer, 'with `--call`:'),
];
