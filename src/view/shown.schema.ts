// The parts that JSON answers of the command line and messages of the inspector share.

import {
  count,
  flag,
  jsonObject,
  list,
  map,
  marked,
  number,
  oneOf,
  optional,
  reference,
  type Schema,
  text,
} from '../base/builders.schema.ts';
import { failureSchema, issue, issueSchema } from '../base/issue.schema.ts';
import { type Amount, resources } from '../budget/amount.ts';
import { effects, type Repeat, repeats } from '../contract/declaration.ts';
import { keptSchema } from '../engine/record/event-parts.schema.ts';
import { gateKind } from '../engine/record/gate-events.schema.ts';
import { type KeptLogLine, logLevels } from '../engine/record/log-line.ts';
import { orderOutcome } from '../engine/record/run-events.schema.ts';
import { skipReason } from '../engine/record/step-events.schema.ts';
import type { StepStatus } from '../engine/state/state.ts';
import type { Attachment } from '../template/keys/attachment.ts';
import { type Expiry, type StepType, stepTypes } from '../template/step-spec.ts';
import type { OpenGate } from './open-gates.ts';
import type { TreeStep } from './run-tree.ts';
import type { RootCause } from './summary.ts';

/** One answer of a command. A command with several answers says by `when` which calls give it. */
export const form = <S>(schema: S, when = '') => ({ schema, when });

export const issues = list(issue(), 'The findings.');

const amountSchema = map(
  Object.fromEntries(resources.map((resource) => [resource, optional(number())])),
  'Numbers by resource; an absent resource is zero.',
);
export const amount = reference<Amount>('Amount', 'amount');

export const stepType: Schema<StepType> = oneOf(stepTypes, 'The type of the step.');

export const stepStatus: Schema<StepStatus> = oneOf([
  'waiting',
  'ready',
  'running',
  'retrying',
  'held',
  'completed',
  'resolved',
  'failed',
  'skipped',
  'cancelled',
  'superseded',
]);

export const expiry: Schema<Expiry> = oneOf(
  ['approve', 'reject', 'fail', 'converge'],
  'The consequence if nobody answers in time.',
);

export const effect = oneOf(effects);
export const repeat: Schema<Repeat> = oneOf(repeats, 'Whether a call may be made again.');

export const attachment: Schema<Attachment> = map({
  kind: oneOf(['link', 'file', 'image']),
  ref: text('An address, or a path under the granted roots.'),
  label: optional(text()),
});

export const openGateKeys = {
  gate: text("The gate's id; `g1/g2` is gate `g2` of the child run that `g1` waits for."),
  kind: gateKind,
  step: text('The step that the gate was opened for.'),
  others: list(text(), 'Other steps that wait for the gate.'),
  prompt: text('The question.'),
  decision: jsonObject('JSON Schema of an answer.'),
  since: count('Milliseconds since 1970.'),
  until: optional(count('The deadline, in milliseconds since 1970; absent: none.')),
  onExpiry: optional(expiry),
  each: optional(marked('Agreeing covers one call alone.')),
};
const openGateSchema: Schema<OpenGate> = map(
  { ...openGateKeys, run: optional(text('The child run that asks.')) },
  'A question to people that is open.',
);
export const openGate = reference<OpenGate>('OpenGate', 'gate');

export const takenUp = map(
  {
    by: text('The planning step of the repair.'),
    outcome: oneOf(['repaired', 'under way', 'failed']),
    planned: optional(marked('The repair has planned, so a later failure belongs to its plan.')),
  },
  'The repair that took up the failure.',
);

export const causeKeys = {
  step: text("The step's id."),
  task: optional(text('The task, in the words of the plan.')),
  code: text("The failure's code."),
  message: text("The failure's message."),
  hint: optional(text('How to mend it.')),
  takenUp: optional(takenUp),
};
const causeSchema: Schema<RootCause> = map(
  {
    ...causeKeys,
    behind: count('The number of steps that did not run because of it.'),
  },
  'A step that failed by itself, or that a spent budget cut off.',
);
const cause = reference<RootCause>('RootCause', 'cause');

const skippedFor = ['when_false', 'not_chosen', 'upstream', 'budget', 'converged'] as const;

export const skippedStep = map({
  step: text("The step's id."),
  reason: oneOf(skippedFor),
  root: optional(text('The step whose end is the reason.')),
});

/** The keys of answers for the shortfalls of a run. */
export const orders = optional(
  list(orderOutcome, 'For a goal without a template that has ended: what was done about each of its orders.'),
);

export const shortfallKeys = {
  failed: list(cause(), 'Steps that failed by themselves.'),
  tolerated: list(cause(), 'Steps whose failure was tolerated.'),
  skipped: list(skippedStep, 'Steps that did not run.'),
};

const treeStep = reference<TreeStep>('TreeStep', 'step');
const treeStepSchema: Schema<TreeStep> = map(
  {
    id: text("The step's id."),
    name: text('The last part of the id.'),
    type: stepType,
    capability: optional(text('The capability that it calls.')),
    attachments: optional(list(attachment, 'The attachments that it declares.')),
    agent: optional(text('The agent that performs it.')),
    child: optional(text('The last run that it started.')),
    asks: optional(text('The model or tool that its attempt waits for.')),
    status: stepStatus,
    text: text('The status in words.'),
    skipped: optional(skipReason),
    held: optional(map({ gate: text(), kind: gateKind }, 'The open gate that it waits for.')),
    supersededBy: optional(text('The repair that plans it again.')),
    duration: optional(number('Seconds from its first attempt to its end, or until now.')),
    attempts: count('The number of attempts.'),
    verified: optional(marked('The result passed its predicate.')),
    failure: optional(map({ code: text(), message: text() })),
    takenUp: optional(takenUp),
    root: optional(text('The step whose end is the reason why it did not run.')),
    adopted: optional(
      map(
        {
          from: text('The step.'),
          run: optional(text('The other run.')),
          input: optional(text('Digest of the input.')),
        },
        'The step whose finished work it took over.',
      ),
    ),
    resolvedBy: optional(text('The operator who supplied its result.')),
    converged: optional(
      map({ succeeded: count(), expected: count(), partial: flag() }, 'The branches that ended here.'),
    ),
    rationale: optional(text("The planner's reason for its plan.")),
    failing: optional(list(text(), 'The failed steps that a repair mends.')),
    steps: list(treeStep(), 'The steps that it planned, or the items of a fan-out.'),
    repairs: list(treeStep(), 'The repairs of its plan.'),
  },
  'A step, with the steps that it planned.',
);
export const tree = (description: string) => list(treeStep(), description);

export const runStatus = <const W extends string>(...words: readonly W[]) =>
  oneOf(words, '`waiting`: only people can continue it; `interrupted`: no process drives it.');

export const partial = flag(
  'True if a convergence went on although branches were missing, or if nothing did an order of the goal.',
);
export const elapsed = number('The seconds in which the run was working.');

/** The shared shapes that answers name; the reference of the command line lists each once. */
export const definitions = {
  issue: issueSchema,
  failure: failureSchema,
  kept: keptSchema,
  amount: amountSchema,
  gate: openGateSchema,
  cause: causeSchema,
  step: treeStepSchema,
} as const;

/** The refusal that every command may answer instead. */
export const refusal = map({ issues });

export const logLine: Schema<KeptLogLine> = map({
  number: count("The line's number; counts from 1 within the run."),
  run: text('The id of the run.'),
  step: text("The step's id."),
  attempt: count('The attempt; counts from 1.'),
  delivery: optional(count('The delivery of the attempt; absent: the first.')),
  call: optional(count("The call's number within the attempt; absent: the attempt is one call.")),
  at: count('Milliseconds since 1970.'),
  level: oneOf(logLevels, 'The level.'),
  source: optional(text('The writer, if it is not the capability itself: an MCP server, stderr, a model.')),
  message: text('The text, without secrets.'),
  data: optional(jsonObject('The attributes.')),
  traceparent: optional(text('The W3C trace context of the call.')),
});

export const eventLine = map({
  version: count("The event's number; counts from 1."),
  at: count('Milliseconds since 1970.'),
  cause: count('The number of the event that caused it; 0 for orders from outside.'),
  event: jsonObject('The event; `reconverge docs events` lists all.'),
});
