// Keys at the top of a template, and the schemas of templates, included files and fragments, from which schemas/ and the reference of keys are generated.
import { defined, type JsonObject } from '../../base/json.ts';
import { agents, plannedAgents, skills } from '../keys/agent.ts';
import { runBudget, stepBudget } from '../keys/budget.ts';
import { capabilityName } from '../keys/composition.ts';
import { concurrency } from '../keys/concurrency.ts';
import { effectsPolicy } from '../keys/effects.ts';
import { http } from '../keys/http.ts';
import { alias, type KeyValues, keyOf, schemasOf, unread } from '../keys/key.ts';
import { anything, choice, contract, flag, list, map, mapByName, number, openMap, text, words } from '../keys/kinds.ts';
import { limits } from '../keys/limits.ts';
import { lock, unknownOutcome } from '../keys/lock.ts';
import { missing } from '../keys/missing.ts';
import { embeddings, models } from '../keys/model.ts';
import { needs } from '../keys/needs.ts';
import { ASK_BELOW, workPatterns } from '../keys/pattern.ts';
import { planner, repair } from '../keys/planning.ts';
import { capabilities } from '../keys/source.ts';
import { authoredStepSchema, plannedStepSchema, stepSchema } from '../keys/step.ts';
import { runContext } from '../keys/step-parts.ts';
import { environmentSchemas } from './environment.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const input = contract("The contract of the run's input.");
const steps = unread(list('The steps.', unread(authoredStepSchema)).schema);

const isTrue = (value: boolean) => (value ? true : undefined);
const isFalse = (value: boolean) => (value ? undefined : false);

const critic = map(
  'How plans are criticized. `on`: critical findings go back to the planner. `strict`: warnings go back too. `off`: nothing goes back. With `model`, a model also reviews each acceptable plan.',
  {
    model: text('The profile of the model that reviews plans; its remarks are warnings.', 'large'),
    strict: flag('Whether every warning goes back to the planner.').shows(false),
  },
  ['model'],
)
  .to(
    ({ model, strict }): CriticSettings => ({
      ...defined({ critic: strict === true ? ('strict' as const) : undefined, criticModel: model }),
    }),
  )
  .orShort(
    {
      type: ['string', 'object'],
      pattern: '^(off|on|strict)$',
      'x-expects': 'off, on, strict, or { model, strict }',
      default: 'on',
    },
    (written): CriticSettings => (written === 'off' || written === 'strict' ? { critic: written } : {}),
  );

/** Without `critic`, critical findings go back to the planner; without `criticModel`, no model reviews plans. */
export interface CriticSettings {
  readonly critic?: 'off' | 'strict';
  /** The name of a profile under `models:`. */
  readonly criticModel?: string;
}

const { environment, step_changes } = environmentSchemas({
  context: runContext,
  concurrency,
  critic,
});

export const templateKeys = {
  reconverge: unread({ type: 'integer', enum: [1], description: 'The version of the template language.' }),
  name: text('The name of the template.', 'profile-data-folder').orElse(''),
  version: keyOf(
    { type: ['string', 'number'], description: "The template's own version.", examples: ['1.2'] },
    (written) => (written === undefined ? undefined : String(written)),
  ),
  description: text('The purpose of the template, in one sentence.'),
  metadata: openMap('Any data; the engine keeps it and never reads it.'),
  input,
  input_schema: alias('input', input),
  output: anything(
    'The result of the run, with references; when absent, the results of the steps without dependents.',
    { report: '{{ results.finalize.path }}' },
  ),
  budget: unread({ $ref: '#/$defs/budget' }),
  context: runContext,
  models: unread(models.schema),
  embeddings: unread(embeddings.schema),
  planners: unread(
    mapByName('Planners by name, for the key `planner` of planning steps.', planner, {
      careful: { kind: 'llm', model: 'large' },
    }).schema,
  ),
  agents: unread(agents.schema),
  skills: unread(skills.schema),
  capabilities,
  constraints: words('Constraints that every planner is told to respect.', ['Read each file once.']).orElse([]),
  context_tags: words('Topics of the run, which select skills and experience of earlier runs.', ['finance']).orElse([]),
  steps,
  include: unread(words('Files with further steps, agents and models of this template.', ['./common.yaml']).schema),
  concurrency,
  effects: effectsPolicy(
    'Effects that are allowed, are denied, or need approval. The policy overrides the defaults of each effect.',
  ),
  missing,
  critic,
  pattern: choice(
    'The work pattern of planners that split goals into tasks: the phases of a named pattern, or of the pattern that fits the goal (`auto`).',
    ['auto', ...workPatterns],
  ),
  learning: flag('Whether runs use experience of earlier runs, and record their own for later runs.')
    .shows(true)
    .to(isFalse),
  ask_below: number(
    'The confidence that the tasks of a goal need, for planners without their own `ask_below`.',
    0,
    1,
  ).shows(ASK_BELOW),
  limits,
  roots: words('Folders that file capabilities may access, relative to the template.', ['./data']).orElse([]),
  http,
  repair,
  capture_content: flag('Whether telemetry may contain data of the run.').shows(false).to(isTrue),
  on_unknown_outcome: unknownOutcome.as('unknownOutcome'),
  lock,
  fail_fast: flag('Whether the first failure stops the run.').or(false),
  environments: unread(
    mapByName(
      'Named overlays; `--environment` chooses one for a run. Maps are merged key by key, and other values replace those of the template.',
      unread({ $ref: '#/$defs/environment' }),
      { llm: { models: { default: { model: 'gpt-5-mini' } }, steps: { plan: { planner: { kind: 'llm' } } } } },
    ).schema,
  ),
};

/** The keys at the top of a template. */
export type TemplateKeys = KeyValues<typeof templateKeys>;

export const templateProperties = schemasOf(templateKeys);

const ofSteps: JsonObject = { budget: runBudget.schema, step_budget: stepBudget.schema, step: stepSchema };

export const sharedSchemas: JsonObject = {
  ...ofSteps,
  step_changes,
  environment,
};

export const templateSchema: JsonObject = {
  $schema: DIALECT,
  title: 'Reconverge template',
  ...map('A template: authored steps, planning steps, convergence targets, and the budget of a run.', templateKeys, [
    'reconverge',
    'name',
    'steps',
  ]).schema,
  $defs: sharedSchemas,
};

export const includeSchema: JsonObject = {
  $schema: DIALECT,
  title: 'Reconverge include',
  ...map('Steps, agents and models for templates to include.', { steps, agents, models }).schema,
  $defs: ofSteps,
};

export const fragmentSchema: JsonObject = {
  $schema: DIALECT,
  title: 'Reconverge fragment',
  ...map('A fragment: a piece of graph that a planner proposes.', {
    rationale: text('The reason for this plan, in one sentence.'),
    steps: list('The steps.', unread(plannedStepSchema)),
    convergence_target: text(
      'The step at which the plan converges: the convergence target of its planning step. It may be left out.',
      'finalize',
    ),
    agents: plannedAgents,
    capabilities: list(
      'Capabilities that the plan defines, if the template permits it. Each computes its result from its input, without other effects.',
      map(
        'A capability that the plan defines.',
        {
          name: capabilityName('The name of the capability.', 'text.initials'),
          description: text('The purpose of the capability, in one sentence.'),
          input: contract('The contract of its input.'),
          output: contract('The contract of its result.'),
          lisp: text('The expression that computes the result from `data/input`.', '(:total data/input)'),
        },
        ['name', 'input', 'output', 'lisp'],
      ),
    ),
    needs: needs(
      'Results that the planner must see before it can plan; they are shown, and the planner is asked once more.',
    ),
    impossible: text('The reason why the goal cannot be reached; it ends the phase without a plan.'),
    intents: anything(
      'The intents of the goal, and how a capability or agent was found for each; for the record only.',
      {
        intents: [],
      },
    ),
  }).schema,
  $defs: ofSteps,
};
