// Keys at the top of a template, and the schemas of templates, of the files they include, and of fragments: the one source of schemas/ and docs/template.md.
import { defined, type JsonObject } from '../../base/json.ts';
import { agents, plannedAgents, skills } from '../keys/agent.ts';
import { runBudget, stepBudget } from '../keys/budget.ts';
import { capabilityName } from '../keys/composition.ts';
import { concurrency } from '../keys/concurrency.ts';
import { effectsPolicy } from '../keys/effects.ts';
import { http } from '../keys/http.ts';
import { alias, keyOf, schemasOf, unread } from '../keys/key.ts';
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

const input = contract("What the run's input must be.");
const steps = unread(list('The steps.', unread(authoredStepSchema)).schema);

const isTrue = (value: boolean) => (value ? true : undefined);
const isFalse = (value: boolean) => (value ? undefined : false);

const critic = map(
  'How plans are criticised: what is critical goes back to the planner, with `strict` every warning does, with `off` nothing. With `model` that model is asked too about each plan that is acceptable.',
  {
    model: text('The model profile that is asked; what it remarks are warnings.', 'large'),
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

/** Without `critic`, critical findings go back to the planner; without `criticModel`, no model is asked. */
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
  name: text('What the template is called.', 'profile-data-folder').orElse(''),
  version: keyOf(
    { type: ['string', 'number'], description: "The template's own version.", examples: ['1.2'] },
    (written) => (written === undefined ? undefined : String(written)),
  ),
  description: text('What it is for, in a sentence.'),
  metadata: openMap('Anything; kept, never read.'),
  input,
  input_schema: alias('input', input),
  output: anything(
    'What the run answers, with references; without it, the results of the steps that nothing depends on.',
    { report: '{{ results.finalize.path }}' },
  ),
  budget: unread({ $ref: '#/$defs/budget' }),
  context: runContext,
  models: unread(models.schema),
  embeddings: unread(embeddings.schema),
  planners: unread(
    mapByName('Planners, by name, for planning steps to name.', planner, { careful: { kind: 'llm', model: 'large' } })
      .schema,
  ),
  agents: unread(agents.schema),
  skills: unread(skills.schema),
  capabilities,
  constraints: words('Told to every planner.', ['Read each file once.']).orElse([]),
  context_tags: words('What this run is about; finds skills and past experience.', ['finance']).orElse([]),
  steps,
  include: unread(
    words('Files of steps, agents and models that are read as if they stood here.', ['./common.yaml']).schema,
  ),
  concurrency,
  effects: effectsPolicy('Which effects are allowed, denied, or need approval; beats what holds of them otherwise.'),
  missing,
  critic,
  pattern: choice(
    'How planners that take goals apart work towards one: in the phases of a pattern, or of the one that fits the goal (`auto`).',
    ['auto', ...workPatterns],
  ),
  learning: flag('Whether its runs learn from earlier ones and teach later ones.').shows(true).to(isFalse),
  ask_below: number(
    'How sure planners must be of what a goal comes apart into, unless they say it themselves.',
    0,
    1,
  ).shows(ASK_BELOW),
  limits,
  roots: words('Folders that file capabilities may touch, relative to the template.', ['./data']).orElse([]),
  http,
  repair,
  capture_content: flag('Whether telemetry may carry data.').shows(false).to(isTrue),
  on_unknown_outcome: unknownOutcome.as('unknownOutcome'),
  lock,
  fail_fast: flag('Whether the first failure stops everything.').or(false),
  environments: unread(
    mapByName(
      'Named overlays, of which a run may choose one with `--environment`: maps are merged key by key, everything else takes the place of what the template says.',
      unread({ $ref: '#/$defs/environment' }),
      { llm: { models: { default: { model: 'gpt-5-mini' } }, steps: { plan: { planner: { kind: 'llm' } } } } },
    ).schema,
  ),
};

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
  ...map('A frame: what runs first, where planning happens, where it comes together, what it may cost.', templateKeys, [
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
  ...map('A proposed piece of graph: what a planner answers.', {
    rationale: text('Why this plan, in a sentence.'),
    steps: list('The steps.', unread(plannedStepSchema)),
    convergence_target: text(
      'Where the plan comes together: the convergence target of its planning step. It may be left out.',
      'finalize',
    ),
    agents: plannedAgents,
    capabilities: list(
      'Capabilities that the plan brings along, where the template lets it: each computes its result from its input, and changes nothing.',
      map(
        'One of them.',
        {
          name: capabilityName('What it is called.', 'text.initials'),
          description: text('What it is for, in a sentence.'),
          input: contract('What it takes.'),
          output: contract('What it answers.'),
          lisp: text('Computes the result from `data/input`.', '(:total data/input)'),
        },
        ['name', 'input', 'output', 'lisp'],
      ),
    ),
    needs: needs('What the planner has to see before it can plan; it is shown, and asked once more.'),
    impossible: text('Why the goal cannot be reached; ends the phase honestly.'),
    intents: anything('What the goal came apart into, and how who does each was found; for the record.', {
      intents: [],
    }),
  }).schema,
  $defs: ofSteps,
};
