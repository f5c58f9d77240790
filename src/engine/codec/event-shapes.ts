// The shape of each of a run's events, and when it is written: the one source of schemas/event.schema.json and docs/events.md.
import type { JsonObject } from '../../base/json.ts';
import type { EventType } from '../event.ts';
import {
  attempt,
  bill,
  count,
  exhaustion,
  exhaustionKeys,
  expiry,
  failure,
  finishedWork,
  gate,
  grafted,
  intents,
  list,
  marked,
  named,
  order,
  step,
  text,
} from './shape-words.ts';

interface EventShape {
  /** When it is written. */
  readonly says: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, JsonObject>>;
}

/** Every event, in the order of a run's life. */
export const eventShapes: Readonly<Record<EventType, EventShape>> = {
  'run.started': {
    says: 'A run begins, with the template and the input that it keeps for good.',
    required: ['run', 'template', 'input', 'folder', 'by'],
    properties: {
      run: text("The run's id."),
      template: text('Digest of the resolved template; its JSON is a blob.'),
      input: named('kept', 'The input of the run.'),
      folder: text('What relative paths mean.'),
      by: text('Who started it.'),
      reuse: list('Finished work of another run that may be taken over.', finishedWork),
      given: { type: 'object', description: 'Results that steps of plans have already, by their names.' },
      traceparent: text('The W3C trace context that the run is part of.'),
      learned: named('kept', 'What earlier runs have taught, as planners are told it throughout this one.'),
    },
  },
  'run.forked': {
    says: 'All before this is what another run did; from here on it goes its own way.',
    required: ['from', 'at', 'changes', 'by'],
    properties: {
      from: text('The id of that run.'),
      at: count('Version of the last event that both have.'),
      changes: list('In what it differs from then on, in words.', { type: 'string' }),
      ...order,
    },
  },
  'run.attached': {
    says: 'Another driver takes the run over; the time since the event before does not count.',
    required: ['by'],
    properties: { by: text('Who drives it now.') },
  },
  'run.paused': { says: 'Nothing new begins until it is resumed.', required: ['by'], properties: order },
  'run.resumed': { says: 'A paused run goes on.', required: ['by'], properties: order },
  'run.cancelling': { says: 'Everything is to end.', required: ['by'], properties: order },
  'attempt.started': {
    says: 'A try of a step is paid for and about to be handed out.',
    required: ['step', 'attempt'],
    properties: {
      step,
      attempt,
      delivery: count('How often this attempt has been handed out; absent: once.'),
      reserved: named('amount', 'What is set aside for it.'),
      input: text('Digest of the resolved input; absent where the step says it all and the call changes nothing.'),
      key: text('Idempotency key, where it is not run/step#attempt.'),
    },
  },
  'attempt.lost': {
    says: 'The performer of an attempt is gone, and with it the outcome.',
    required: ['step', 'attempt'],
    properties: { step, attempt, assumed: named('amount', 'Charged in full, since what was used is not known.') },
  },
  'attempt.failed': {
    says: 'A try failed and another one follows.',
    required: ['step', 'attempt', 'failure', 'retryAt'],
    properties: {
      step,
      attempt,
      failure,
      bill,
      retryAt: count('When the next one may begin; milliseconds since 1970.'),
    },
  },
  'call.started': {
    says: 'An attempt asks a model, calls a tool, or looks something up, before it goes on.',
    required: ['step', 'attempt', 'call', 'kind', 'name', 'request'],
    properties: {
      step,
      attempt,
      call: count('Counts from 1 within what is asked for one result.'),
      kind: { enum: ['model', 'embeddings', 'capability', 'look_up', 'files', 'discover'], description: 'Of whom.' },
      name: text('The model profile, the embeddings model or the capability; of a look-up `context`.'),
      purpose: { enum: ['plan', 'turn', 'judge', 'summary', 'critic'], description: 'What the model is asked for.' },
      prompt: text('The prompt that was rendered: its name, version and digest.'),
      request: text('Digest of what was asked; its JSON is a blob.'),
      reserved: named('amount', 'Set aside for it.'),
      key: text('Idempotency key, where it is not run/step#attempt.call.'),
    },
  },
  'call.ended': {
    says: 'What an attempt asked for has come back, or failed.',
    required: ['step', 'attempt', 'call'],
    properties: {
      step,
      attempt,
      call: count('Which one.'),
      value: named('kept', 'What came back.'),
      failure,
      bill,
    },
  },
  'verification.failed': {
    says: 'A result did not pass the contract or the predicate of its step, or its judge.',
    required: ['step', 'attempt', 'diagnosis', 'value'],
    properties: {
      step,
      attempt,
      diagnosis: text('What is wrong with it.'),
      value: named('kept', 'The result that did not pass.'),
    },
  },
  'step.completed': {
    says: 'A step has its result, and the result passed every check.',
    required: ['step', 'value'],
    properties: {
      step,
      value: named('kept', 'The result.'),
      bill,
      coerced: list('Paths whose type was mended without loss.', { type: 'string' }),
      verified: marked('A predicate was asked and held.'),
      tokens: {
        type: 'object',
        description: 'What a synthesis was given, and what it left of it.',
        required: ['in', 'out'],
        properties: { in: count('Tokens.'), out: count('Tokens.') },
        additionalProperties: false,
      },
    },
  },
  'step.adopted': {
    says: 'A step takes over the result of finished work that is the same by content; nothing is called or charged.',
    required: ['step', 'from', 'input', 'value'],
    properties: {
      step,
      from: text('The step that did the work.'),
      run: text('Its run; absent: this one.'),
      input: text('Digest of the input that both were given.'),
      value: named('kept', 'The result.'),
    },
  },
  'step.resolved': {
    says: 'A person supplied the result of a step.',
    required: ['step', 'value', 'by'],
    properties: { step, value: named('kept', 'The result.'), bill, ...order },
  },
  'step.retried': {
    says: 'A person had a step begin again.',
    required: ['step', 'by'],
    properties: { step, bill, ...order },
  },
  'step.failed': {
    says: 'A step ended without a result; what depends on it does not run.',
    required: ['step', 'failure'],
    properties: {
      step,
      failure,
      bill,
      stop: named('exhaustion', 'The limit that it failed for.'),
      repair: text('The repair that has taken the failure up.'),
    },
  },
  'step.skipped': {
    says: 'A step ended without being run, or its failure is tolerated.',
    required: ['step', 'reason'],
    properties: {
      step,
      reason: {
        enum: ['when_false', 'not_chosen', 'tolerated', 'upstream', 'budget', 'converged'],
        description: 'Why.',
      },
      root: text('The step whose end is the root cause.'),
      failure,
      bill,
      value: named('kept', 'What there was of the result of a fan-out that was cut short.'),
    },
  },
  'steps.cancelled': {
    says: 'Steps ended because the run is cancelled, or stops at its first failure.',
    required: ['steps'],
    properties: { steps: list('Their ids.', { type: 'string' }) },
  },
  'steps.superseded': {
    says: 'Steps that had not begun will not be run: a repair plans their work anew.',
    required: ['steps', 'by'],
    properties: { steps: list('Their ids.', { type: 'string' }), by: text('The repair.') },
  },
  'fan_out.expanded': {
    says: 'A fan-out knows its items; each becomes a step.',
    required: ['step', 'items'],
    properties: { step, items: list('What the steps map/0, map/1, … are given.', { $ref: '#/$defs/kept' }) },
  },
  'gate.opened': {
    says: 'A person is asked; the step is held until they have answered.',
    required: ['gate', 'step', 'kind', 'prompt', 'decision'],
    properties: {
      gate,
      step,
      kind: {
        enum: ['review', 'clarification', 'approval', 'plan_review', 'replan', 'exhaustion', 'synthesis', 'llm_prompt'],
        description: 'What for.',
      },
      prompt: text('What is asked.'),
      decision: { type: 'object', description: 'JSON Schema of an answer.' },
      context: named('kept', 'What to see before deciding; of an approval the call as it will be made.'),
      call: {
        type: 'object',
        required: ['capability', 'input'],
        properties: { capability: text('What is called.'), input: text('Digest of what it is called with.') },
        description: 'What is approved of.',
      },
      as: text("Under which key of the step's input an answer goes that is no object."),
      expiresAt: count('Until when; milliseconds since 1970.'),
      onExpiry: expiry('What happens then; fail unless said.'),
      bill,
      exhaustion: named('exhaustion', 'The limit that was met.'),
    },
  },
  'gate.decided': {
    says: 'A person has answered; that is final.',
    required: ['gate', 'verdict', 'by'],
    properties: {
      gate,
      verdict: { enum: ['approve', 'reject', 'answer', 'edit'], description: 'What they said.' },
      value: named('kept', 'The answer, or the edited plan.'),
      grant: {
        enum: ['step', 'capability'],
        description: 'What else the approval is for: this capability in this step, or in the run.',
      },
      ...order,
    },
  },
  'gate.expired': {
    says: 'Nobody has answered in time.',
    required: ['gate', 'outcome'],
    properties: { gate, outcome: expiry('What happens.') },
  },
  'step.held': {
    says: 'A step waits for a gate that was opened for another.',
    required: ['step', 'gate'],
    properties: { step, gate, bill },
  },
  'steps.released': {
    says: 'Held steps may start.',
    required: ['steps'],
    properties: { steps: list('Their ids.', { type: 'string' }) },
  },
  'replan.started': {
    says: 'A phase is planned again: a new planning step joins it before its target.',
    required: ['step', 'target', 'scope', 'failing', 'after', 'trial', 'readyAt'],
    properties: {
      step: text('The new planning step.'),
      planner: text("The planning step whose phase it is; absent: the template's own repair planner."),
      target: text('Where the phase comes together.'),
      scope: { enum: ['tail', 'phase'], description: 'What it takes the place of.' },
      failing: list('The steps whose failure it is to mend.', { type: 'string' }),
      after: list('The steps whose end it waits for.', { type: 'string' }),
      trial: count('How many repairs led to this one, itself included.'),
      readyAt: count('When it may begin at the earliest; milliseconds since 1970.'),
    },
  },
  'plan.requested': {
    says: 'A planner is asked.',
    required: ['step', 'attempt', 'brief', 'tokens'],
    properties: {
      step,
      attempt,
      brief: text('Digest of the brief; its JSON is a blob.'),
      receipt: text(
        'Digest of the receipt, what became of each result on its way into the packet; its JSON is a blob. Absent: there was none.',
      ),
      tokens: count('Size of its packet.'),
    },
  },
  'plan.proposed': {
    says: 'A planner has answered.',
    required: ['step', 'attempt', 'reply'],
    properties: {
      step,
      attempt,
      reply: named('kept', 'What it answered, unread.'),
      found: list('Declarations of tools that were found on servers for it.', { type: 'object' }),
      bill,
    },
  },
  'needs.asked': {
    says: 'A planner has to see more before it plans; it is asked once more, with that.',
    required: ['step', 'attempt', 'needs'],
    properties: {
      step,
      attempt,
      needs: list('What it asked for.', {
        type: 'object',
        required: ['step'],
        properties: {
          step: text("A step's id or name, or a glob over both."),
          path: text('Where in the result.'),
          as: text('The name under which it is shown.'),
          full: marked('Never shrunk.'),
        },
        additionalProperties: false,
      }),
      bill,
    },
  },
  'fragment.rejected': {
    says: 'The review found errors; the next attempt is told.',
    required: ['step', 'attempt', 'issues'],
    properties: { step, attempt, issues: list('What is wrong.', { $ref: '#/$defs/issue' }), bill },
  },
  'fragment.grafted': {
    says: 'An accepted fragment joins the graph, in one batch with the completion of its planner.',
    required: ['planner', 'attempt', 'fragment', 'rationale', 'target', 'steps', 'terminals', 'amount'],
    properties: {
      planner: text('The planning step.'),
      attempt: count('Of the planning step; 0 when the engine planned nothing itself.'),
      fragment: text('Digest of the fragment.'),
      rationale: text("The planner's reason."),
      intents,
      target: text('Where the phase comes together.'),
      steps: list('The new steps.', grafted),
      terminals: list('The new steps that the target waits for.', { type: 'string' }),
      amount: named('amount', 'Charged for the whole fragment.'),
      warnings: list('What the review remarked.', { $ref: '#/$defs/issue' }),
      score: { type: 'number', minimum: 1, maximum: 10, description: 'What the critic thinks of the plan.' },
      understood: list('What had to be understood of how it was written.', { type: 'string' }),
      forced: marked('The engine grafted nothing, because the budget was spent.'),
    },
  },
  'capability.registered': {
    says: 'A plan brings a capability along, and has been agreed to: this run has it from now on.',
    required: ['step', 'capability'],
    properties: {
      step,
      capability: { type: 'object', description: 'Its declaration, and what it is or where it is found.' },
    },
  },
  'convergence.judged': {
    says: 'Every branch that ends at a step has ended, and its policy is judged.',
    required: ['step', 'satisfied', 'convergence'],
    properties: {
      step,
      satisfied: { type: 'boolean', description: 'Whether the step may run.' },
      convergence: named('convergence', 'How the branches ended.'),
      stop: named('exhaustion', 'The limit that forced it.'),
    },
  },
  'budget.warned': {
    says: 'Most of a limit is used; planners are told to converge.',
    required: ['account', 'resource', 'percent'],
    properties: { account: text('Whose.'), resource: text('Of what.'), percent: count('How much of it.') },
  },
  'budget.exhausted': {
    says: 'An account cannot pay; what it would have paid for is cut.',
    required: exhaustionKeys,
    properties: exhaustion,
  },
  'budget.raised': {
    says: 'A person has raised limits; they serve what is admitted from now on.',
    required: ['account', 'limit', 'by'],
    properties: {
      account: text('Whose.'),
      limit: { type: 'object', description: 'The new limits by resource; cost in micro-dollars.' },
      wallClock: count('The new wall clock; milliseconds.'),
      ...order,
    },
  },
  'run.ended': {
    says: 'No step is live any more.',
    required: ['status', 'partial', 'output'],
    properties: {
      status: { enum: ['completed', 'failed', 'cancelled'], description: 'How.' },
      partial: { type: 'boolean', description: 'Something that was expected did not succeed.' },
      output: named('kept', 'What the run answers.'),
      failure,
    },
  },
};
