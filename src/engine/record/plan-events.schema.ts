// The events of plans, repairs, convergence, budgets and the lock file.

import {
  called,
  count,
  flag,
  list,
  loosely,
  map,
  marked,
  number,
  oneOf,
  optional,
  record,
  text,
} from '../../base/builders.schema.ts';
import { issue } from '../../base/issue.schema.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { Intents } from '../../goals/intent.ts';
import type { GraftedStep } from '../../planning/prepare-graft.ts';
import type { Need, StepSpec } from '../../template/step-spec.ts';
import { convergence } from './convergence.schema.ts';
import {
  amount,
  attempt,
  bill,
  event,
  exhaustion,
  exhaustionKeys,
  kept,
  orderKeys,
  resource,
  step,
} from './event-parts.schema.ts';
import { raiseKeys } from './order.schema.ts';

const need = called<Need>(
  'Need',
  map({
    step: text("A step's id or name, or a glob over both."),
    path: optional(text('The path in the result; absent: all of it.')),
    as: optional(text('The name under which the result is shown.')),
    full: optional(marked('The result is never shrunk.')),
  }),
);

const graftedStep = called<GraftedStep>(
  'GraftedStep',
  map({
    id: step,
    spec: loosely<StepSpec>('StepSpec', { type: 'object' }, 'The declaration, resolved.'),
    dependencies: list(text(), 'Full ids.'),
    refs: optional(record(text(), 'The full id of each name that the step uses.')),
    depth: count("The step's place in the longest chain of the fragment."),
    target: optional(text('The convergence target of a nested planning step.')),
  }),
);

const intents = loosely<Intents>(
  'Intents',
  { type: 'object', required: ['goal', 'strategy', 'shape', 'intents'] },
  'The parts of the goal, and how the capability for each part was found.',
);

export const planEvents = [
  event('replan.started', 'A phase is planned again: a new planning step joins it before its target.', {
    step: text('The new planning step: `plan_recon~2`.'),
    planner: optional(
      text("The planning step whose phase is planned again; absent: the template's own repair planner does it."),
    ),
    target: text('The step where the phase converges.'),
    scope: oneOf(['tail', 'phase'], 'The part of the phase that is planned again.'),
    failing: list(text(), 'The failed steps that the repair replaces; empty when the phase as a whole fell short.'),
    after: list(text(), 'The steps that have begun; the repair waits for their end.'),
    trial: count('The number of repairs up to this one.'),
    readyAt: count('The earliest start of the repair; milliseconds since 1970.'),
  }),
  event('plan.requested', 'A planner is asked.', {
    step,
    attempt,
    brief: text('Digest of the brief; its JSON is a blob.'),
    receipt: optional(
      text(
        'Digest of the receipt, which tells how each result entered the packet; its JSON is a blob. Absent: no receipt.',
      ),
    ),
    tokens: count('The size of the packet in tokens.'),
  }),
  event('plan.proposed', 'A planner has answered.', {
    step,
    attempt,
    reply: kept("The planner's reply, unread."),
    found: optional(
      list(
        loosely<Declaration>('Declaration', { type: 'object' }),
        'Declarations of tools that were found on servers for the plan.',
      ),
    ),
    bill,
  }),
  event('needs.asked', 'A planner has to see more before it plans; it is asked once more, with those results.', {
    step,
    attempt,
    needs: list(need, 'The results that the planner asked for.'),
    bill,
  }),
  event('fragment.rejected', 'The review found errors; the next attempt is told.', {
    step,
    attempt,
    issues: list(issue(), 'The errors.'),
    bill,
  }),
  event('fragment.grafted', 'An accepted fragment joins the graph, in one batch with the completion of its planner.', {
    planner: text('The planning step.'),
    attempt: count("The planning step's attempt; 0 when the engine grafted an empty fragment."),
    fragment: text('Digest of the fragment.'),
    rationale: text("The planner's reason."),
    intents: optional(intents),
    target: text('The step where the phase converges.'),
    steps: list(graftedStep, 'The new steps.'),
    terminals: list(text(), 'The new steps that the target waits for.'),
    amount: amount('The amount charged for the whole fragment.'),
    warnings: optional(list(issue(), 'The warnings of the review.')),
    score: optional(number("The critic's score of the plan, from 1 to 10.", { minimum: 1, maximum: 10 })),
    understood: optional(list(text(), 'The slips in the written plan that the reader corrected.')),
    forced: optional(marked('The engine grafted the empty fragment, because the budget was spent.')),
  }),
  event('capability.registered', 'A plan defines a capability, and a person has agreed: only this run has it.', {
    step,
    capability: loosely<Declaration>(
      'Declaration',
      { type: 'object' },
      'The declaration of the capability, and its code or where it is found.',
    ),
  }),
  event('convergence.judged', 'Every branch that ends at a step has ended, and its policy is judged.', {
    step,
    satisfied: flag('Whether the step may run.'),
    convergence: convergence('How the branches ended.'),
    stop: optional(exhaustion('The limit that forced the judgement.')),
  }),
  event('lock.differed', 'A tool or a model differs from reconverge.lock, and the run continues.', {
    step,
    message: text('A sentence that names the tool or the model.'),
    differences: kept('Each tool or model with its fields, before and after.'),
    keys: list(text(), 'Keys of the differences.'),
  }),
  event('budget.warned', 'Most of a limit is used; planners are told to converge.', {
    account: text('The account that the limit belongs to.'),
    resource,
    percent: count('The part of the limit that is used, in percent.'),
  }),
  event('budget.exhausted', 'An account cannot pay; the work that it would have paid for is cut.', exhaustionKeys),
  event('budget.raised', 'A person has raised limits; they serve work admitted from now on.', {
    ...raiseKeys,
    ...orderKeys,
  }),
] as const;
