// The schema of a run's events: the one source of schemas/event.schema.json and docs/events.md, held to what runs write by test.
import type { JsonObject } from '../base/json.ts';
import type { EventType } from './event.ts';

interface EventShape {
  /** When it is written. */
  readonly says: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, JsonObject>>;
}

const text = (description: string): JsonObject => ({ type: 'string', description });
const count = (description: string): JsonObject => ({ type: 'integer', minimum: 0, description });
const list = (description: string, items: JsonObject): JsonObject => ({ type: 'array', items, description });
const marked = (description: string): JsonObject => ({ const: true, description });
const named = (definition: string, description: string): JsonObject => ({ $ref: `#/$defs/${definition}`, description });

const step = text("The step's id.");
const attempt = count('Counts from 1.');
const bill = named('amount', 'What was used.');
const failure = named('failure', 'Why.');
const order = { by: text('Who ordered it.'), why: text('What they said about it.') };

const exhaustion = {
  account: text('Whose.'),
  resource: text('Of what; time counts milliseconds, cost micro-dollars.'),
  limit: count('The limit.'),
  spent: count('Used of it.'),
  reserved: count('Set aside of it.'),
  landing: count('Kept for the landing set.'),
  key: text('Where the limit is written.'),
};
const exhaustionKeys = Object.keys(exhaustion);

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
  'verification.failed': {
    says: 'A result did not pass the predicate of its step.',
    required: ['step', 'attempt', 'diagnosis'],
    properties: { step, attempt, diagnosis: text("The predicate's words.") },
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
    },
  },
  'step.failed': {
    says: 'A step ended without a result; what depends on it does not run.',
    required: ['step', 'failure'],
    properties: { step, failure, bill, stop: named('exhaustion', 'The limit that it failed for.') },
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
    },
  },
  'steps.cancelled': {
    says: 'Steps ended because the run is cancelled, or stops at its first failure.',
    required: ['steps'],
    properties: { steps: list('Their ids.', { type: 'string' }) },
  },
  'plan.requested': {
    says: 'A planner is asked.',
    required: ['step', 'attempt', 'brief', 'tokens'],
    properties: {
      step,
      attempt,
      brief: text('Digest of the brief; its JSON is a blob.'),
      tokens: count('Size of its packet.'),
    },
  },
  'plan.proposed': {
    says: 'A planner has answered.',
    required: ['step', 'attempt', 'reply'],
    properties: { step, attempt, reply: named('kept', 'What it answered, unread.') },
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
      target: text('Where the phase comes together.'),
      steps: list('The new steps.', {
        type: 'object',
        required: ['id', 'spec', 'dependencies', 'depth'],
        properties: {
          id: step,
          spec: { type: 'object', description: 'The declaration, resolved.' },
          dependencies: list('Full ids.', { type: 'string' }),
          refs: { type: 'object', description: 'Full id of each name it uses.' },
          depth: count('Its place in the longest chain of the fragment.'),
          target: text('For a nested planning step.'),
        },
        additionalProperties: false,
      }),
      terminals: list('The new steps that the target waits for.', { type: 'string' }),
      amount: named('amount', 'Charged for the whole fragment.'),
      warnings: list('What the review remarked.', { $ref: '#/$defs/issue' }),
      forced: marked('The engine grafted nothing, because the budget was spent.'),
    },
  },
  'convergence.judged': {
    says: 'Every branch that ends at a step has ended, and its policy is judged.',
    required: ['step', 'satisfied', 'convergence'],
    properties: {
      step,
      satisfied: { type: 'boolean', description: 'Whether the step may run.' },
      convergence: named('convergence', 'How the branches ended.'),
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

const kept: JsonObject = {
  description: 'A value: in place when it is small, by digest of its JSON when it is large.',
  oneOf: [
    { type: 'object', required: ['value'], properties: { value: {} }, additionalProperties: false },
    {
      type: 'object',
      required: ['digest', 'bytes'],
      properties: { digest: { type: 'string' }, bytes: { type: 'integer' } },
      additionalProperties: false,
    },
  ],
};

const resources = ['phases', 'steps', 'llm_calls', 'tokens_in', 'tokens_out', 'cost_usd', 'tool_calls', 'replans'];

/** JSON Schema 2020-12 of one event with its type. */
export const eventSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Reconverge event',
  description: 'A fact in the journal of a run.',
  oneOf: Object.entries(eventShapes).map(([type, { says, required, properties }]) => ({
    type: 'object',
    description: says,
    required: ['type', ...required],
    properties: { type: { const: type }, ...properties },
    additionalProperties: false,
  })),
  $defs: {
    kept,
    amount: {
      type: 'object',
      description: 'Whole numbers by resource; cost in micro-dollars.',
      properties: Object.fromEntries(resources.map((resource) => [resource, { type: 'integer', minimum: 0 }])),
      additionalProperties: false,
    },
    failure: {
      type: 'object',
      required: ['code', 'message', 'retry'],
      properties: {
        code: text('A row of docs/errors.md.'),
        message: text('One sentence.'),
        retry: { enum: ['may', 'never'] },
        retryAfter: count('Milliseconds.'),
        cause: { $ref: '#/$defs/failure' },
        issues: { type: 'array', items: { $ref: '#/$defs/issue' } },
      },
      additionalProperties: false,
    },
    issue: {
      type: 'object',
      required: ['code', 'severity', 'message', 'path'],
      properties: {
        code: text('A row of docs/errors.md.'),
        severity: { enum: ['error', 'warning', 'info'] },
        message: text('One sentence.'),
        path: { type: 'array', items: { type: ['string', 'integer'] } },
        place: { type: 'object' },
        hint: text('How to mend it.'),
      },
      additionalProperties: false,
    },
    exhaustion: { type: 'object', required: exhaustionKeys, properties: exhaustion, additionalProperties: false },
    convergence: {
      type: 'object',
      required: ['expected', 'succeeded', 'failed', 'skipped', 'partial', 'reason', 'by_phase'],
      properties: {
        expected: count('Branches that count.'),
        succeeded: count('Of them.'),
        failed: list('Each with its root cause.', { type: 'object', required: ['step', 'root', 'code', 'message'] }),
        skipped: list('Each with its reason.', { type: 'object', required: ['step', 'reason'] }),
        partial: { type: 'boolean' },
        reason: { enum: ['empty', 'all_success', 'all_settled', 'quorum', 'budget', 'unmet'] },
        by_phase: { type: 'object' },
      },
      additionalProperties: false,
    },
  },
};
