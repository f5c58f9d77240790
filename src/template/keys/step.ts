// Keys of a step: those of all steps, then those of single step types. They are flat, so that editors complete each of them.
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

/** The step types; schema, reader and engine use this list. */
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

/** Older names of step types. */
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
  initialization: openMap("Fixed settings of the call; keys of the step's `input` override them.", {
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

const dependencies = words('The steps that this step waits for.', ['ingest']).to(withoutRepeats).orElse([]);
const output = contract('The contract of the result; when absent, the contract that the capability declares.');

export const commonKeys = {
  name: textLike(
    '^[a-z][a-z0-9_]*$',
    'lower-case letters, digits and underscores, a letter first',
    'The name of the step, unique in its document.',
    'ingest',
  ),
  type: choice(
    'The type of the step. `standard`, `deferred_convergence`, `batchable` and `gate` are older names of `task`, `deferred`, `fan_out` and `human_review`.',
    [...stepTypes, 'standard', 'deferred_convergence', 'batchable', 'gate'],
  )
    .to(ownType)
    .or('task'),
  description: text('The purpose of the step, in one sentence.'),
  dependencies,
  depends_on: alias('dependencies', dependencies),
  requires: alias('dependencies', dependencies),
  after: alias('dependencies', dependencies),
  when: lisp(
    'The condition of the step: the step is skipped when the value is false or nil.',
    '(pos? (count (:files (:ingest data/results))))',
  ),
  handler: call,
  capability: alias('handler', call),
  tool: alias('handler', call),
  agent: text('The agent that does the step.').to((name): AgentUse => ({ name })),
  input: anything('The input of the capability; may have references and Lisp.', { folder: '{{ input.folder }}' }),
  expr: lisp('The expression of a compute step; its value is the result.', '(sum (pluck :rows (vals data/depends)))'),
  output,
  result_schema: alias('output', output),
  signature: alias('output', output),
  verification: lisp(
    'A predicate over the result: nil, false and texts fail the step, and a text is the diagnosis.',
    '(pos? (:rows data/result))',
  ),
  on_verification_failure: choice('The reaction when `verification` fails.', recoveries).or('stop'),
  judge,
  on_failure: choice(
    'The reaction when the step fails; the default is `retry` for steps with `retry` or `max_retries`.',
    recoveries,
  ).shows('stop'),
  retry,
  max_retries: count('Short for `retry: { max_retries }`; implies `on_failure: retry`.', 0),
  critical: flag('Whether a failure of this step also fails the steps that depend on it.').or(true),
  timeout: duration('The time limit of one attempt.').shows('30s'),
  effects: effectList(
    'The only effects that calls of this step may have. A planning step plans with no other capabilities, and an agent gets no other tools.',
    ['read'],
  ),
  approval,
  concurrency_key: text('Steps with the same key share the limit that `concurrency.keys` sets for it.', 'github'),
  budget: stepBudget.shared('step_budget'),
  convergence,
  fresh: flag('Whether the step always runs, instead of adopting finished work.').shows(false),
  attachments: attachments(
    'Links, files and images that the step works on. A person is asked for missing files and images before the step begins.',
  ),
  max_deliveries: count('How often one attempt may be delivered before it counts as lost.', 1).or(3),
  max_clarifications: count('The most questions that the step may ask.', 0).shows(CLARIFICATIONS),
  context,
};

export const decisionKeys = {
  branches: words('The branches of a decision: names of steps that depend on it.', ['simple', 'thorough'])
    .to(withoutRepeats)
    .orElse([]),
  choose: lisp('The expression that chooses the branches: a name, a list of names, or nil for none.'),
};

/** The keys of all steps. */
export type CommonKeys = KeyValues<typeof commonKeys>;

/** Without `choose`, the result of the capability is `{branches: […]}`. */
export type DecisionSpec = KeyValues<typeof decisionKeys>;

export const fanOutKeys = {
  do: unread({
    $ref: '#/$defs/step',
    description: 'The task or compute step that a fan_out runs for each `item`; it has no dependencies of its own.',
  }),
  for_each: anything('The items of a fan_out: a list, a reference to one, or Lisp.', '{{ results.ingest.files }}'),
  max_width: count(
    'The most steps that a fan_out may become; the budget reserves them. In a template the default is `max_fan_out`.',
    1,
  ),
  batch_size: count(
    'The fewest items of one step of a fan_out, which then gets a list; when absent, each step gets one item.',
    1,
  ),
  failure_strategy: choice('The reaction of a fan_out when one item fails.', ['continue_on_failure', 'fail_fast']).or(
    'continue_on_failure',
  ),
};

/** The keys of a fan-out. */
export type FanOutKeys = KeyValues<typeof fanOutKeys>;

export const gateKeys = {
  prompt: text('The question to the person; may have references.', 'May the report on {{ input.folder }} go out?'),
  decision: contract(
    'The contract of the answer; when absent, `{approved :bool, notes :string}`, with empty notes as default.',
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

/** The keys that name the called capability. */
export const callKeys = ['handler', 'capability', 'tool'] as const;

const workKeys = [...callKeys, 'agent'];
const outputKeys = ['output', 'result_schema', 'signature'];

/** The keys that only steps of one type may have. */
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

/** Requires a planner, because a step of a template can inherit none. */
export const authoredStepSchema: JsonObject = {
  $ref: '#/$defs/step',
  required: ['name'],
  allOf: [condition(typeIn('planning'), { required: ['planner'] })],
};

/** Requires the width of a fan-out, because the review of a plan counts it. */
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
