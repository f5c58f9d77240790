// Keys of a step, flat so that editors complete every one of them: the keys of all steps, then those of single types.
import type { JsonObject } from '../../base/json.ts';
import { CLARIFICATIONS } from '../step-defaults.ts';
import { type AgentUse, judge } from './agent.ts';
import { attachments } from './attachment.ts';
import { stepBudget } from './budget.ts';
import { effectList } from './effects.ts';
import { alias, type KeyValues, schemasOf, unread } from './key.ts';
import {
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
  text,
  textLike,
  words,
} from './kinds.ts';
import { planningKeys } from './planning.ts';
import { approval, context, convergence, expiryKeys, expiryNeedsTime, retry } from './step-parts.ts';

/** The one list of step types: schema, reader and engine follow it. */
export const stepTypes = [
  'task',
  'compute',
  'planning',
  'deferred',
  'decision',
  'fan_out',
  'synthesis_gate',
  'human_review',
] as const;

export type StepType = (typeof stepTypes)[number];

/** Other names of step types. */
export const typeAliases = {
  standard: 'task',
  deferred_convergence: 'deferred',
  batchable: 'fan_out',
  gate: 'human_review',
} as const;

const recoveries = ['stop', 'skip', 'retry', 'replan'] as const;

export type Recovery = (typeof recoveries)[number];

const isFanOut = typeIn('fan_out', 'batchable');

const handlerKeys = {
  callable: text('The capability, by name.', 'files.list').as('capability'),
  initialization: openMap("Fixed settings of the call; the step's `input` is laid over them.", {
    format: 'markdown',
  }),
};

const call = map('The capability that the step calls.', handlerKeys, ['callable'])
  .with({ examples: ['files.list', { callable: 'report.write', initialization: { format: 'markdown' } }] })
  .orShort(
    { type: ['string', 'object'], 'x-expects': 'the name of a capability, or { callable, initialization }' },
    (written): KeyValues<typeof handlerKeys> | undefined =>
      typeof written === 'string' ? { capability: written } : undefined,
  );

const withoutRepeats = (read: readonly string[]): readonly string[] => [...new Set(read)];

const dependencies = words('The steps that this one waits for.', ['ingest']).to(withoutRepeats).orElse([]);
const output = contract('What the result must be; without it, what the capability declares.');

export const commonKeys = {
  name: textLike(
    '^[a-z][a-z0-9_]*$',
    'lower-case letters, digits and underscores, a letter first',
    'What the step is called; unique in its document.',
    'ingest',
  ),
  type: choice(
    'What kind of step it is. `standard`, `deferred_convergence`, `batchable` and `gate` are older names of `task`, `deferred`, `fan_out` and `human_review`.',
    [...stepTypes, 'standard', 'deferred_convergence', 'batchable', 'gate'],
  )
    .to(ownType)
    .or('task'),
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
  agent: text('The agent that does the step.').to((name): AgentUse => ({ name })),
  input: anything('What the capability is called with; with references and Lisp.', { folder: '{{ input.folder }}' }),
  expr: lisp('What a compute step evaluates.', '(sum (pluck :rows (vals data/depends)))'),
  output,
  result_schema: alias('output', output),
  signature: alias('output', output),
  verification: lisp(
    'Must hold of the result: nil, false or a text fail, and the text is the diagnosis.',
    '(pos? (:rows data/result))',
  ),
  on_verification_failure: choice('What happens when `verification` fails.', recoveries).or('stop'),
  judge,
  on_failure: choice(
    'What happens when the step fails; `retry` where `retry` or `max_retries` is written.',
    recoveries,
  ).shows('stop'),
  retry,
  max_retries: count('Short for `retry: { max_retries }`; implies `on_failure: retry`.', 0),
  critical: flag('Whether its failure is a failure of what depends on it.').or(true),
  timeout: duration('How long one attempt may take.').shows('30s'),
  effects: effectList(
    'The only effects that what the step calls or plans may have; a planning step plans with nothing else, and an agent is offered no other tools.',
    ['read'],
  ),
  approval,
  concurrency_key: text('Steps with the same key share the limit that `concurrency.keys` sets.', 'github'),
  budget: stepBudget.shared('step_budget'),
  convergence,
  fresh: flag('Never take over finished work.').shows(false),
  attachments: attachments(
    'What the step is about: links as they are; files and images that are not there are asked for before it begins.',
  ),
  max_deliveries: count('How often one attempt may be handed out before it is given up as lost.', 1).or(3),
  max_clarifications: count('How many questions the step may ask.', 0).shows(CLARIFICATIONS),
  context,
};

export const decisionKeys = {
  branches: words('The branches of a decision: names of steps that wait for it.', ['simple', 'thorough'])
    .to(withoutRepeats)
    .orElse([]),
  choose: lisp('Which branches run: a name, a list of names, or nil for none.'),
};

/** Without `choose`, the capability's result says `{branches: […]}`. */
export type DecisionSpec = KeyValues<typeof decisionKeys>;

export const fanOutKeys = {
  do: unread({
    $ref: '#/$defs/step',
    description:
      'The task or compute step that a fan_out runs for each item, which it knows as `item`; it waits for nothing of its own.',
  }),
  for_each: anything('The items of a fan_out: a list, a reference to one, or Lisp.', '{{ results.ingest.files }}'),
  max_width: count(
    'How many steps a fan_out may become, which it sets aside; in a template `max_fan_out` when nothing is said.',
    1,
  ),
  batch_size: count(
    'The fewest items that one step of a fan_out is given, as a list; without it, each is given one.',
    1,
  ),
  failure_strategy: choice('What a fan_out does when one item fails.', ['continue_on_failure', 'fail_fast']).or(
    'continue_on_failure',
  ),
};

export const gateKeys = {
  prompt: text('What a person is asked; with references.', 'May the report on {{ input.folder }} go out?'),
  decision: contract(
    'What a person may answer; without it, `{approved :bool, notes :string}`, with empty notes where none are given.',
  ),
  ...expiryKeys,
};

/** Without `decision`, the answer has the shape of `defaultDecision`. */
export type GateSpec = Omit<KeyValues<typeof gateKeys>, 'prompt'> & { readonly prompt: string };

export const stepProperties: Readonly<Record<string, JsonObject>> = schemasOf({
  ...commonKeys,
  ...decisionKeys,
  ...fanOutKeys,
  ...gateKeys,
  ...planningKeys,
});

/** The names under which a step says what it calls. */
export const callKeys = ['handler', 'capability', 'tool'] as const;

const workKeys = [...callKeys, 'agent'];
const outputKeys = ['output', 'result_schema', 'signature'];

/** Keys that only steps of one type have. */
export const keysOfTypes: Readonly<Partial<Record<StepType, readonly string[]>>> = {
  planning: Object.keys(planningKeys),
  compute: ['expr'],
  decision: Object.keys(decisionKeys),
  fan_out: Object.keys(fanOutKeys),
  human_review: Object.keys(gateKeys),
};

const only = (type: StepType) => forbids(keysOfTypes[type] ?? []);

export const stepSchema: JsonObject = {
  type: 'object',
  description: 'One step.',
  properties: stepProperties,
  additionalProperties: false,
  allOf: [
    condition(typeIn('planning'), {}, only('planning')),
    condition(typeIn('compute'), { required: ['expr'], ...forbids(['input']) }, only('compute')),
    condition(typeIn('decision'), { required: ['branches'] }, only('decision')),
    condition(isFanOut, { required: ['do', 'for_each'], ...forbids(['input']) }, only('fan_out')),
    condition(
      typeIn('human_review', 'gate'),
      { required: ['prompt'], ...forbids(outputKeys), allOf: [expiryNeedsTime] },
      only('human_review'),
    ),
    condition(typeIn('compute', 'planning', 'fan_out', 'batchable', 'human_review', 'gate'), forbids(workKeys)),
    condition(
      { properties: { type: { enum: ['task', 'standard'] } } },
      { anyOf: workKeys.map((key) => ({ required: [key] })) },
    ),
  ],
};

/** Requires a planner: in a template nothing can be inherited. */
export const authoredStepSchema: JsonObject = {
  $ref: '#/$defs/step',
  required: ['name'],
  allOf: [condition(typeIn('planning'), { required: ['planner'] })],
};

/** Requires the width of a fan-out: the plan is judged by it. */
export const plannedStepSchema: JsonObject = {
  $ref: '#/$defs/step',
  required: ['name'],
  allOf: [condition(isFanOut, { required: ['max_width'] })],
};

function typeIn(...types: readonly string[]): JsonObject {
  return { required: ['type'], properties: { type: { enum: types } } };
}

function ownType(written: StepType | keyof typeof typeAliases): StepType {
  const own = Object.entries(typeAliases).find(([other]) => other === written)?.[1];
  return own ?? stepTypes.find((each) => each === written) ?? 'task';
}
