// The schema of a template, of the files it includes, and of a planner's fragment: the one source of schemas/ and docs/template.md.
import type { JsonObject } from '../../base/json.ts';
import { repeats } from '../../contract/declaration.ts';
import { missingStrategies } from '../keys/missing.ts';
import { workPatterns } from '../keys/pattern.ts';
import { childBudgetSchema, runBudgetSchema, stepBudgetSchema } from './budget.ts';
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
  list,
  map,
  needs,
  openMap,
  type Properties,
  size,
  text,
  words,
} from './build.ts';
import { effectList, effectsPolicy } from './effects.ts';
import { environmentProperties, stepChangesSchema } from './environment.ts';
import {
  agentsSchema as agents,
  embeddingsSchema as embeddings,
  modelsSchema as models,
  plannedAgentsSchema,
  skillsSchema,
} from './model.ts';
import { plannerSchema, repairSchema } from './planning.ts';
import { lockSchema, unknownOutcomeSchema } from './question.ts';
import { authoredStepSchema, plannedStepSchema, stepSchema } from './step.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const inputContract = contract("What the run's input must be.");
const steps = list('The steps.', authoredStepSchema);

const mcpServer: JsonObject = {
  ...map(
    'An MCP server: a program that is started (`command`), or one that is reached over streamable HTTP (`url`).',
    {
      name: {
        type: 'string',
        pattern: '^[a-z][a-z0-9_]*$',
        'x-expects': 'lower-case letters, digits and underscores, a letter first',
        description: 'Its tools are called `name.tool`.',
        examples: ['github'],
      },
      command: {
        ...text('The program that is started.', 'npx'),
        pattern: '\\S',
        'x-expects': 'the name or the path of a program',
      },
      args: {
        ...list('What it is started with; `${env.X}` is filled in.', { type: ['string', 'number'] }),
        examples: [['some-mcp-server', './data']],
      },
      env: openMap(
        'Its environment, beside PATH, HOME and the like; nothing else of ours is handed on.',
        { type: ['string', 'number', 'boolean'] },
        { TOKEN: '${secret.GITHUB_TOKEN}' },
      ),
      cwd: text("The folder in which it is started, relative to the template; the template's own unless given."),
      url: {
        ...text('Where it is reached.', 'http://localhost:3000/mcp'),
        pattern: '^https?://\\S|\\$\\{',
        'x-expects': 'an address that begins with http:// or https://',
      },
      headers: openMap(
        'Sent with each request to it, and to nobody else.',
        { type: 'string' },
        { Authorization: 'Bearer ${secret.GITHUB_TOKEN}' },
      ),
      connect_timeout: duration('How long it may take to start and to list its tools.', '30s'),
      hints: {
        ...choice('Whether what the server says about effects and repeating counts; `ignore`: every tool writes.', [
          'ignore',
        ]),
      },
      tools: openMap(
        'What holds of single tools in place of what the server says, by their names there; `reconverge mcp tools` proposes it.',
        map('What holds of one tool.', {
          effects: effectList('What calling it does.', ['write']),
          repeat: choice('Whether a call may be made again when nobody knows what became of it.', repeats),
          key: text('The argument in which it takes an idempotency key; it is filled in, and `repeat` is `keyed`.'),
          cost: map('What a call costs.', {
            seconds: { type: 'number', minimum: 0, description: 'How long it takes.' },
            usd: { type: 'number', minimum: 0, description: 'What it costs in dollars.' },
          }),
          approval: choice(
            'Whether a person must agree to each call that a planner or an agent thought of; `never` also lets calls through that may destroy something.',
            ['always', 'never'],
          ),
        }),
        { slack_post_message: { effects: ['write'], repeat: 'never' } },
      ),
    },
    ['name'],
  ),
  allOf: [
    condition({ required: ['url'] }, forbids(['command', 'args', 'env', 'cwd']), {
      required: ['command'],
      ...forbids(['headers']),
    }),
  ],
};

const composition = map(
  'Calls in a row that count as one capability.',
  {
    name: {
      type: 'string',
      pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$',
      'x-expects': 'lower-case words joined by dots',
      description: 'What it is called.',
      examples: ['sales.total'],
    },
    description: text('What it is for, in a sentence, for planners and people.'),
    input: contract('What it takes.'),
    output: contract('What it answers.'),
    steps: list(
      'The calls, in order; what one of them changes, the last one does.',
      map(
        'A call.',
        {
          name: text(
            'What the calls after it refer to it by; unless said, `csv_read` for a call of `csv.read`.',
            'rows',
          ),
          call: text('The capability: of the catalog, or granted here.', 'csv.read'),
          input: openMap('What it is called with; with references to `input` and `results`.', undefined, {
            path: '{{ input.path }}',
          }),
        },
        ['call'],
      ),
    ),
    result: anything('What it answers, with references; unless said, what the last call does.', {
      total: '{{ results.sums.groups.0.total }}',
    }),
  },
  ['name', 'description', 'steps'],
);

const childTemplate: JsonObject = {
  ...map(
    'A template whose runs are called like a capability: what it takes and answers is what its own `input` and `output` say. The path alone, or with the rest.',
    {
      file: text('Its path, relative to this template.', './sub.yaml'),
      name: {
        type: 'string',
        pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$',
        'x-expects': 'lower-case words joined by dots',
        description: 'What it is called; its own name unless given.',
        examples: ['audit.one'],
      },
      description: text('What it is for, for planners and people; its own description unless given.'),
      budget: childBudgetSchema,
    },
    ['file'],
  ),
  type: ['string', 'object'],
  'x-expects': 'the path of a template, or { file, name, description, budget }',
};

const module: JsonObject = {
  ...map(
    'A module that exports capabilities. The path alone, or with the rest.',
    {
      file: text('Its path, relative to this template.', './handlers.ts'),
      isolate: choice('`thread`: each call runs in a thread of its own, which its timeout terminates.', ['thread']),
      memory: { ...size('With `isolate`: how much memory a thread may take, at least 64M.', '512M'), examples: ['1G'] },
    },
    ['file'],
  ),
  type: ['string', 'object'],
  'x-expects': 'the path of a module, or { file, isolate, memory }',
};

const capabilities = list(
  'What the template grants: the built-in catalog or some of it by name, modules that export capabilities, MCP servers, compositions, other templates.',
  {
    type: ['string', 'object'],
    properties: {
      module,
      mcp: mcpServer,
      compose: composition,
      template: childTemplate,
    },
    additionalProperties: false,
    'x-expects': 'catalog, the path of a module, or { module }, { mcp }, { compose } or { template }',
  },
  ['catalog', './handlers.ts'],
);

const context = map('How results are shown to planners.', {
  strategy: choice('How results are shown.', ['full', 'contract', 'summary', 'selective', 'hierarchical'], 'contract'),
  model: text(
    'Which model sums up, where the strategy is `summary`; `default` or the only one when nothing is said.',
    'cheap',
  ),
  max_tokens: size('How much a planner is shown.', 4000),
});

const rateLimit = map('One limit.', {
  max: count('The most attempts or calls at once.', 1),
  rate: {
    ...text('The most attempts or calls that begin in any such span of time.', '10/s', '100/5m'),
    pattern: '^ *[1-9][0-9]* */ *([1-9][0-9]*)?(ms|s|m|h|d) *$',
    'x-expects': 'a rate such as 10/s, 100/m or 5/10s',
  },
});

const concurrency = map('Limits how much runs at once.', {
  max: count('The most attempts of one run at once.', 1, 10),
  keys: openMap(
    'Limits by `concurrency_key`. All runs of a process share a limit; where runs set different limits, the lowest holds.',
    rateLimit,
  ),
  capabilities: openMap(
    'Limits by capability, for every call of steps, agents and planners, shared like `keys`. `github.*` is one limit for all capabilities whose names begin so.',
    rateLimit,
    { 'github.*': { max: 4, rate: '30/m' } },
  ),
});

const critic: JsonObject = {
  ...map(
    'How plans are criticised: what is critical goes back to the planner, with `strict` every warning does, with `off` nothing. With `model` that model is asked too about each plan that is acceptable.',
    {
      model: text('The model profile that is asked; what it remarks are warnings.', 'large'),
      strict: flag('Whether every warning goes back to the planner.', false),
    },
    ['model'],
  ),
  type: ['string', 'object'],
  pattern: '^(off|on|strict)$',
  'x-expects': 'off, on, strict, or { model, strict }',
  default: 'on',
};

export const environmentSchema: JsonObject = map(
  'How things are done otherwise, for runs that name this environment.',
  environmentProperties(context, concurrency, critic),
);

export const templateProperties: Properties = {
  reconverge: { type: 'integer', enum: [1], description: 'The version of the template language.' },
  name: text('What the template is called.', 'profile-data-folder'),
  version: { type: ['string', 'number'], description: "The template's own version.", examples: ['1.2'] },
  description: text('What it is for, in a sentence.'),
  metadata: openMap('Anything; kept, never read.'),
  input: inputContract,
  input_schema: alias('input', inputContract),
  output: anything(
    'What the run answers, with references; without it, the results of the steps that nothing depends on.',
    { report: '{{ results.finalize.path }}' },
  ),
  budget: { $ref: '#/$defs/budget' },
  context,
  models,
  embeddings,
  planners: openMap('Planners, by name, for planning steps to name.', plannerSchema, {
    careful: { kind: 'llm', model: 'large' },
  }),
  agents,
  skills: skillsSchema,
  capabilities,
  constraints: words('Told to every planner.', ['Read each file once.']),
  context_tags: words('What this run is about; finds skills and past experience.', ['finance']),
  steps,
  include: words('Files of steps, agents and models that are read as if they stood here.', ['./common.yaml']),
  concurrency,
  effects: effectsPolicy('Which effects are allowed, denied, or need approval; beats what holds of them otherwise.'),
  missing: {
    ...words(
      'What is tried, in this order, where nothing serves what a plan wants: `ask` a person, `synthesize` a pure one, `discover` one on servers, `suggest` where there is one. With `fail` the planner is only told what comes nearest.',
      ['discover', 'ask'],
    ),
    items: { type: 'string', enum: missingStrategies },
    pattern: `^(fail|${missingStrategies.join('|')})$`,
    'x-expects': `fail, or one or several of ${missingStrategies.join(', ')}`,
  },
  critic,
  pattern: choice(
    'How planners that take goals apart work towards one: in the phases of a pattern, or of the one that fits the goal (`auto`).',
    ['auto', ...workPatterns],
  ),
  learning: flag('Whether its runs learn from earlier ones and teach later ones.', true),
  ask_below: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: 0.6,
    description: 'How sure planners must be of what a goal comes apart into, unless they say it themselves.',
  },
  limits: map('Limits that are not spent.', {
    lisp: map('Limits of one evaluation of Lisp.', {
      fuel: size('Units of work.', 100_000),
      cells: size('Slots of memory.'),
      depth: count('Nested calls.', 1),
      text: size('Characters of one text.'),
      output: size('Characters of a value that is written out.'),
      nesting: count('Nested brackets in the source.', 1),
      source: size('Characters of the source.'),
      deadline: duration('The last guard.', '1s'),
    }),
    result_bytes: size('How large one result may be.', '10M'),
  }),
  roots: words('Folders that file capabilities may touch, relative to the template.', ['./data']),
  http: map('Addresses that HTTP capabilities may reach; none without it.', {
    allow: words('Hosts; a port that is not the usual one is named, or `*`.', [
      'api.example.com',
      '*.example.org:8443',
    ]),
    private: flag('Whether also addresses of this machine and of private networks.', false),
  }),
  repair: repairSchema,
  capture_content: flag('Whether telemetry may carry data.', false),
  on_unknown_outcome: unknownOutcomeSchema,
  lock: lockSchema,
  fail_fast: flag('Whether the first failure stops everything.', false),
  environments: openMap(
    'Named overlays, of which a run may choose one with `--environment`: maps are merged key by key, everything else takes the place of what the template says.',
    { $ref: '#/$defs/environment' },
    { llm: { models: { default: { model: 'gpt-5-mini' } }, steps: { plan: { planner: { kind: 'llm' } } } } },
  ),
};

const ofSteps: JsonObject = { budget: runBudgetSchema, step_budget: stepBudgetSchema, step: stepSchema };

export const sharedSchemas: JsonObject = {
  ...ofSteps,
  step_changes: stepChangesSchema,
  environment: environmentSchema,
};

export const templateSchema: JsonObject = {
  $schema: DIALECT,
  title: 'Reconverge template',
  ...map(
    'A frame: what runs first, where planning happens, where it comes together, what it may cost.',
    templateProperties,
    ['reconverge', 'name', 'steps'],
  ),
  $defs: sharedSchemas,
};

export const includeSchema: JsonObject = {
  $schema: DIALECT,
  title: 'Reconverge include',
  ...map('Steps, agents and models for templates to include.', { steps, agents, models }),
  $defs: ofSteps,
};

export const fragmentSchema: JsonObject = {
  $schema: DIALECT,
  title: 'Reconverge fragment',
  ...map('A proposed piece of graph: what a planner answers.', {
    rationale: text('Why this plan, in a sentence.'),
    steps: list('The steps.', plannedStepSchema),
    convergence_target: text(
      'Where the plan comes together: the convergence target of its planning step. It may be left out.',
      'finalize',
    ),
    agents: plannedAgentsSchema,
    capabilities: list(
      'Capabilities that the plan brings along, where the template lets it: each computes its result from its input, and changes nothing.',
      map(
        'One of them.',
        {
          name: {
            type: 'string',
            pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$',
            'x-expects': 'lower-case words joined by dots',
            description: 'What it is called.',
            examples: ['text.initials'],
          },
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
  }),
  $defs: ofSteps,
};
