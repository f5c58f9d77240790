// The events of a step: its attempts, their calls, its result, its failure, and the steps that a fan-out becomes.
import { count, list, map, marked, oneOf, optional, record, type Static, text } from '../../base/builders.schema.ts';
import {
  amount,
  attempt,
  bill,
  event,
  exhaustion,
  failure,
  kept,
  orderKeys,
  step,
  steps,
} from './event-parts.schema.ts';

export const callKind = oneOf(
  ['model', 'embeddings', 'capability', 'look_up', 'files', 'discover'],
  'The kind of the call.',
);
export type CallKind = Static<typeof callKind>;

export const purpose = oneOf(['plan', 'turn', 'judge', 'summary', 'critic'], "The purpose of the model's answer.");
export type Purpose = Static<typeof purpose>;

export const skipReason = oneOf(
  ['when_false', 'not_chosen', 'tolerated', 'upstream', 'budget', 'converged'],
  'The reason.',
);
export type SkipReason = Static<typeof skipReason>;

export const modelServer = map(
  {
    provider: optional(text('The provider, such as `openai` or `aws.bedrock`.')),
    address: optional(text('The host.')),
    port: optional(count('The port.')),
  },
  'The server that a model was asked at.',
);

const child = optional(text('The id of the child run, where the call is of a template.'));

export const stepEvents = [
  event('attempt.started', 'An attempt of a step is paid for and about to be handed out.', {
    step,
    attempt,
    delivery: optional(count('How often this attempt has been handed out; absent: once.')),
    reserved: optional(amount('The amount that is set aside for the attempt.')),
    input: optional(
      text('Digest of the resolved input; absent where the step says it all and the call changes nothing.'),
    ),
    key: optional(text('Idempotency key, where it is not run/step#attempt.')),
    child,
  }),
  event('attempt.resumed', 'The child run that an attempt waits for goes on.', { step, attempt }),
  event('attempt.lost', 'The performer of an attempt is gone, and with it the outcome.', {
    step,
    attempt,
    assumed: optional(amount('The amount charged in full, because the amount used is not known.')),
  }),
  event('attempt.failed', 'An attempt failed and another one follows.', {
    step,
    attempt,
    failure,
    bill,
    retryAt: count('The earliest start of the next attempt; milliseconds since 1970.'),
  }),
  event('call.started', 'An attempt asks a model, calls a tool, or looks something up, before it goes on.', {
    step,
    attempt,
    call: count("The call's number; counts from 1 within the calls for one result."),
    kind: callKind,
    name: text('The model profile, the embeddings model or the capability; of a look-up `context`.'),
    purpose: optional(purpose),
    prompt: optional(text('The prompt that was rendered: its name, version and digest.')),
    request: text('Digest of the request; its JSON is a blob.'),
    reserved: optional(amount('The amount that is set aside for the call.')),
    key: optional(text('Idempotency key, where it is not run/step#attempt.call.')),
    child,
  }),
  event('call.ended', 'A call of an attempt has come back, or failed.', {
    step,
    attempt,
    call: count("The call's number."),
    value: optional(kept('The answer; absent when the call failed.')),
    failure: optional(failure),
    bill,
    server: optional(modelServer),
  }),
  event('verification.failed', 'A result did not pass the contract or the predicate of its step, or its judge.', {
    step,
    attempt,
    diagnosis: text('What is wrong with the result.'),
    value: kept('The result that did not pass.'),
  }),
  event('step.completed', 'A step has its result, and the result passed every check.', {
    step,
    value: kept('The result.'),
    bill,
    coerced: optional(list(text(), 'Paths in the result whose type was mended without loss.')),
    verified: optional(marked('The predicate of the step was asked and held.')),
    partial: optional(
      marked(
        'The result comes from a child run that ended without all it expected, or from a fan-out with failed items.',
      ),
    ),
    tokens: optional(
      map(
        { in: count('Tokens of the results.'), out: count('Tokens of the synthesis.') },
        'How far a synthesis shortened the results it was given.',
      ),
    ),
  }),
  event(
    'step.adopted',
    'A step takes over the result of finished work that is the same by content; nothing is called or charged.',
    {
      step,
      from: text('The step that did the work.'),
      run: optional(text('The run that did the work; absent: this one.')),
      input: text('Digest of the input that both steps were given.'),
      value: kept('The result.'),
    },
  ),
  event('step.resolved', 'A person supplied the result of a step.', {
    step,
    value: kept('The result.'),
    bill,
    ...orderKeys,
  }),
  event('step.retried', 'A person had a step begin again.', { step, bill, ...orderKeys }),
  event('step.failed', 'A step ended without a result; steps that depend on it do not run.', {
    step,
    failure,
    bill,
    stop: optional(exhaustion('The limit that the step failed for.')),
    repair: optional(
      text('The repair that has taken the failure up; the failure does not count where the phase converges.'),
    ),
  }),
  event('step.skipped', 'A step ended without being run, or its failure is tolerated.', {
    step,
    reason: skipReason,
    root: optional(text('The step whose end is the root cause.')),
    failure: optional(failure),
    bill,
    value: optional(kept('The results so far of a fan-out that was cut short.')),
  }),
  event('steps.cancelled', 'Steps ended because the run is cancelled, or stops at its first failure.', {
    steps,
    spent: optional(
      record(amount(), 'The amount that child runs have used, by step; other calls under way are charged in full.'),
    ),
  }),
  event('steps.superseded', 'Steps that had not begun will not run: a repair plans their work anew.', {
    steps,
    by: text('The repair.'),
  }),
  event('fan_out.expanded', 'A fan-out knows its items; each becomes a step.', {
    step,
    items: list(kept(), 'The inputs of the steps map/0, map/1, …: each an item, or a list of items.'),
  }),
] as const;
