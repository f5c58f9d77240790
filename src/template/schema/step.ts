// The schema of one step, the same in templates and fragments: flat, so that editors complete every key.

import type { JsonObject } from '../../base/json.ts';
import { stepTypes } from '../step-spec.ts';
import {
  alias,
  anything,
  choice,
  condition,
  contract,
  count,
  duration,
  flag,
  forbids,
  lisp,
  map,
  openMap,
  type Properties,
  size,
  text,
  words,
} from './build.ts';
import { effectList } from './effects.ts';
import { judgeSchema } from './model.ts';
import { attachments } from './pattern.ts';
import { planningProperties } from './planning.ts';

const isFanOut = typeIn('fan_out', 'batchable');

/** Each step type's own name, and the other name that it answers to. */
export const typeAliases = {
  standard: 'task',
  deferred_convergence: 'deferred',
  batchable: 'fan_out',
  gate: 'human_review',
} as const;

const recovery = ['stop', 'skip', 'retry', 'replan'];

const call: JsonObject = {
  type: ['string', 'object'],
  required: ['callable'],
  properties: {
    callable: text('The capability, by name.', 'files.list'),
    initialization: openMap("Fixed settings of the call; the step's `input` is laid over them.", undefined, {
      format: 'markdown',
    }),
  },
  additionalProperties: false,
  'x-expects': 'the name of a capability, or { callable, initialization }',
  description: 'The capability that the step calls.',
  examples: ['files.list', { callable: 'report.write', initialization: { format: 'markdown' } }],
};

const expiresIn = duration('How long a person has; without it, as long as it takes.');
const onExpiry = choice(
  'What happens when nobody has answered in time.',
  ['approve', 'reject', 'fail', 'converge'],
  'fail',
);
const expiryNeedsTime = condition({ required: ['on_expiry'] }, { required: ['expires_in'] });

const dependencies = words('The steps that this one waits for.', ['ingest']);
const output = contract('What the result must be; without it, what the capability declares.');

export const stepProperties: Properties = {
  name: {
    type: 'string',
    pattern: '^[a-z][a-z0-9_]*$',
    'x-expects': 'lower-case letters, digits and underscores, a letter first',
    description: 'What the step is called; unique in its document.',
    examples: ['ingest'],
  },
  type: choice(
    'What kind of step it is. `standard`, `deferred_convergence`, `batchable` and `gate` are older names of `task`, `deferred`, `fan_out` and `human_review`.',
    [...stepTypes, ...Object.keys(typeAliases)],
    'task',
  ),
  description: text('What the step is for, in a sentence.'),
  dependencies,
  depends_on: alias('dependencies', dependencies),
  requires: alias('dependencies', dependencies),
  after: alias('dependencies', dependencies),
  when: lisp(
    'Whether the step runs at all; it is skipped when this is false or nil.',
    '(pos? (count (:files (:ingest data/results))))',
  ),
  handler: call,
  capability: alias('handler', call),
  tool: alias('handler', call),
  agent: text('The agent that does the step.'),
  input: anything('What the capability is called with; with references and Lisp.', { folder: '{{ input.folder }}' }),
  expr: lisp('What a compute step evaluates.', '(sum (pluck :rows (vals data/depends)))'),
  output,
  result_schema: alias('output', output),
  signature: alias('output', output),
  verification: lisp(
    'Must hold of the result: nil, false or a text fail, and the text is the diagnosis.',
    '(pos? (:rows data/result))',
  ),
  on_verification_failure: choice('What happens when `verification` fails.', recovery, 'stop'),
  judge: judgeSchema,
  on_failure: choice(
    'What happens when the step fails; `retry` where `retry` or `max_retries` is written.',
    recovery,
    'stop',
  ),
  retry: map('How often and how patiently it is tried again; implies `on_failure: retry`.', {
    max_attempts: count(
      'How many attempts there may be, the first included; 3 where retry is asked for, else 1.',
      1,
      3,
    ),
    max_retries: count('The same, the first not included.', 0),
    backoff: choice('How the delay grows.', ['none', 'linear', 'exponential', 'fibonacci'], 'exponential'),
    base: duration('The first delay.', '1s'),
    max: duration('The longest delay.', '30s'),
    jitter: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 0.1,
      description: 'The share of a delay that chance may take off.',
    },
  }),
  max_retries: count('Short for `retry: { max_retries }`; implies `on_failure: retry`.', 0),
  critical: flag('Whether its failure is a failure of what depends on it.', true),
  timeout: duration('How long one attempt may take.', '30s'),
  effects: effectList(
    'The only effects that what the step calls or plans may have; a planning step plans with nothing else, and an agent is offered no other tools.',
    ['read'],
  ),
  approval: {
    type: ['boolean', 'string', 'object'],
    pattern: '^(always|never)$',
    properties: {
      prompt: text('What the person is asked; with references.'),
      when: lisp('Whether the person is asked at all.', '(> (:amount data/input) 100)'),
      expires_in: expiresIn,
      on_expiry: onExpiry,
    },
    additionalProperties: false,
    allOf: [expiryNeedsTime],
    'x-expects': 'true, always, never, or a map such as { prompt, when, expires_in, on_expiry }',
    default: 'never',
    description:
      'Whether a person must agree before the capability is called; without it, where an MCP tool may destroy something.',
  },
  concurrency_key: text('Steps with the same key share the limit that `concurrency.keys` sets.', 'github'),
  budget: { $ref: '#/$defs/step_budget' },
  convergence: {
    ...map('How the step judges what comes together at it.', {
      policy: choice(
        'What must have gone well. Planning steps as targets take `all_settled` when nothing is said.',
        ['all_success', 'all_settled', 'quorum'],
        'all_success',
      ),
      min: {
        type: ['integer', 'string'],
        minimum: 1,
        pattern: '^(100|\\d{1,2})\\s*%$',
        'x-expects': 'a number of steps such as 3, or a percentage such as 60%',
        description: 'For `quorum`: how many must have succeeded.',
        examples: [3, '60%'],
      },
      early: flag('Judge as soon as it is decided; what still runs is aborted.', false),
      on_exhaustion: choice('What happens when the budget is used up before.', ['converge', 'fail', 'ask'], 'converge'),
    }),
    allOf: [
      condition(
        { required: ['policy'], properties: { policy: { const: 'quorum' } } },
        { required: ['min'] },
        forbids(['min']),
      ),
    ],
  },
  fresh: flag('Never take over finished work.', false),
  attachments: attachments(
    'What the step is about: links as they are; files and images that are not there are asked for before it begins.',
  ),
  max_deliveries: count('How often one attempt may be handed out before it is given up as lost.', 1, 3),
  max_clarifications: count('How many questions the step may ask.', 0, 3),
  context: map('How the result is shown to planners; on a planning step, how much it is shown.', {
    strategy: choice(
      'How results are shown to this planning step.',
      ['full', 'contract', 'summary', 'selective', 'hierarchical'],
      'contract',
    ),
    model: text('Which model sums up, where the strategy is `summary`.', 'cheap'),
    max_tokens: size('How much is shown.', 4000),
    keep: words('Fields that are always shown.', ['id']),
    elide: words('Fields that are never shown to a model.', ['raw']),
    sample: count('How many items of a list are shown.', 0),
  }),
  branches: words('The branches of a decision: names of steps that wait for it.', ['simple', 'thorough']),
  choose: lisp('Which branches run: a name, a list of names, or nil for none.'),
  do: {
    $ref: '#/$defs/step',
    description:
      'The task or compute step that a fan_out runs for each item, which it knows as `item`; it waits for nothing of its own.',
  },
  for_each: anything('The items of a fan_out: a list, a reference to one, or Lisp.', '{{ results.ingest.files }}'),
  max_width: count(
    'How many steps a fan_out may become, which it sets aside; in a template `max_fan_out` when nothing is said.',
    1,
  ),
  batch_size: count(
    'The fewest items that one step of a fan_out is given, as a list; without it, each is given one.',
    1,
  ),
  failure_strategy: choice(
    'What a fan_out does when one item fails.',
    ['continue_on_failure', 'fail_fast'],
    'continue_on_failure',
  ),
  prompt: text('What a person is asked; with references.', 'May the report on {{ input.folder }} go out?'),
  decision: contract(
    'What a person may answer; without it, `{approved :bool, notes :string}`, with empty notes where none are given.',
  ),
  expires_in: expiresIn,
  on_expiry: onExpiry,
  ...planningProperties,
};

/** The names under which a step says what it calls. */
export const callKeys = ['handler', 'capability', 'tool'] as const;

const workKeys = [...callKeys, 'agent'];
const outputKeys = ['output', 'result_schema', 'signature'];

/** What only steps of one type say. */
export const keysOfTypes = {
  planning: Object.keys(planningProperties),
  compute: ['expr'],
  decision: ['branches', 'choose'],
  fan_out: ['do', 'for_each', 'max_width', 'batch_size', 'failure_strategy'],
  human_review: ['prompt', 'decision', 'expires_in', 'on_expiry'],
} as const;

export const stepSchema: JsonObject = {
  type: 'object',
  description: 'One step.',
  properties: stepProperties,
  additionalProperties: false,
  allOf: [
    condition(typeIn('planning'), {}, forbids(keysOfTypes.planning)),
    condition(typeIn('compute'), { required: ['expr'], ...forbids(['input']) }, forbids(keysOfTypes.compute)),
    condition(typeIn('decision'), { required: ['branches'] }, forbids(keysOfTypes.decision)),
    condition(isFanOut, { required: ['do', 'for_each'], ...forbids(['input']) }, forbids(keysOfTypes.fan_out)),
    condition(
      typeIn('human_review', 'gate'),
      { required: ['prompt'], ...forbids(outputKeys), allOf: [expiryNeedsTime] },
      forbids(keysOfTypes.human_review),
    ),
    condition(typeIn('compute', 'planning', 'fan_out', 'batchable', 'human_review', 'gate'), forbids(workKeys)),
    condition(
      { properties: { type: { enum: ['task', 'standard'] } } },
      { anyOf: workKeys.map((key) => ({ required: [key] })) },
    ),
  ],
};

/** An author says who plans; a nested planning step of a fragment inherits it when the planner says nothing. */
export const authoredStepSchema: JsonObject = {
  $ref: '#/$defs/step',
  required: ['name'],
  allOf: [condition(typeIn('planning'), { required: ['planner'] })],
};

/** A planner says how wide a fan-out may become: its plan is judged by that. */
export const plannedStepSchema: JsonObject = {
  $ref: '#/$defs/step',
  required: ['name'],
  allOf: [condition(isFanOut, { required: ['max_width'] })],
};

function typeIn(...types: readonly string[]): JsonObject {
  return { required: ['type'], properties: { type: { enum: types } } };
}
