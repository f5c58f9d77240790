// The schema of a template's recorded scenarios: what each is given, what people answer in it, and how it must end.
import type { JsonObject } from '../../base/json.ts';
import { limitable } from '../../budget/amount.ts';
import { anything, count, flag, list, map, money, openMap, text, words } from './build.ts';

const spent = map('The most that it may have spent, by resource.', {
  ...Object.fromEntries(limitable.map((resource) => [resource, count(`The most of \`${resource}\`.`, 0)])),
  cost_usd: money('The most that it may have cost, in dollars.'),
});

const answer = map('What a person says at a gate: the first answer that fits an open gate is given, each once.', {
  step: text('The step that asks, by its name or its id; any when absent.', 'review'),
  kind: {
    enum: [
      'review',
      'clarification',
      'approval',
      'plan_review',
      'replan',
      'exhaustion',
      'synthesis',
      'llm_prompt',
      'outcome',
      'lock',
    ],
    description: 'What kind of question it is; any when absent.',
  },
  verdict: {
    enum: ['approve', 'reject', 'answer', 'edit'],
    description: 'What is said; `answer` where there is a `value`, else `approve`, when absent.',
  },
  value: anything('The answer, or the edited plan.', { approved: true, notes: 'fine' }),
  why: text('The reason, kept with the run.'),
});

const expected = map(
  'How the run must end. Of maps only the keys that stand here are compared; texts, numbers and the length of lists must be the same.',
  {
    status: {
      type: 'string',
      enum: ['completed', 'failed', 'cancelled', 'waiting'],
      description: 'How it came to rest; `waiting` when nobody is left to answer what it asks.',
    },
    partial: { type: 'boolean', description: 'Whether it went on without all that it expected.' },
    output: anything('What it answers.', { winner: 'alder' }),
    results: openMap('Results of steps, by their name or id.', undefined, { review: { approved: true } }),
    spent,
    replans: count('How many plans were repaired.', 0),
    codes: words('Codes that must have come up on its way: of failures, of rejected plans.', ['VERIFICATION_FAILED']),
  },
  ['status'],
);

const scenario = map(
  'One run.',
  {
    name: text('What it shows, in a few words.', 'repairs its plan'),
    description: text('What it is for, in a sentence.'),
    input: openMap('What the run is given.', undefined, { folder: 'data' }),
    environment: text("One of the template's environments.", 'llm'),
    cassette: text(
      'The recording that answers in the place of models and capabilities, relative to this file; without it they are really called.',
      'cassettes/repairs.json',
    ),
    budget: openMap('Limits, as with `run --budget`.', { type: ['string', 'number'] }, { max_total_llm_calls: 20 }),
    raise: flag('Whether `budget` may loosen limits too.', false),
    answers: list('What people answer.', answer, { step: 'review', verdict: 'approve' }),
    expect: expected,
  },
  ['name', 'expect'],
);

export const scenariosSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Reconverge scenarios',
  ...map(
    'Runs of a template that must go as they went when they were recorded.',
    {
      template: text(
        'The template, relative to this file; the one beside it of the same name when absent.',
        'plan.yaml',
      ),
      scenarios: list('The runs.', scenario),
    },
    ['scenarios'],
  ),
};
