// Keys of a template's recorded scenarios: what each is given, what people answer in it, and how it must end.
import type { JsonObject } from '../../base/json.ts';
import { type Limited, limitable } from '../../budget/amount.ts';
import { type KeyValues, keyOf, readKeys } from '../keys/key.ts';
import { anything, choice, count, flag, list, map, mapByName, money, openMap, text, words } from '../keys/kinds.ts';

const mostOf = Object.fromEntries(
  limitable.map((resource) => [resource, count(`The most of \`${resource}\`.`, 0).as(resource)]),
);

/** Read under the names of the resources; `cost_usd` in micro-dollars. */
const spent = map('The most that it may have spent, by resource.', {
  ...mostOf,
  cost_usd: money('The most that it may have cost, in dollars.').as('cost_usd'),
}).to((read): Readonly<Partial<Record<Limited, number>>> => read);

const answerKeys = {
  step: text('The step that asks, by its name or its id; any when absent.', 'review'),
  kind: choice('What kind of question it is; any when absent.', [
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
  ]),
  verdict: choice('What is said; `answer` where there is a `value`, else `approve`, when absent.', [
    'approve',
    'reject',
    'answer',
    'edit',
  ]),
  value: anything('The answer, or the edited plan.', { approved: true, notes: 'fine' }),
  why: text('The reason, kept with the run.'),
};

export type PersonsAnswer = KeyValues<typeof answerKeys> & Required<Pick<KeyValues<typeof answerKeys>, 'verdict'>>;

const answer = map(
  'What a person says at a gate: the first answer that fits an open gate is given, each once.',
  answerKeys,
).to(
  ({ verdict, ...said }): PersonsAnswer => ({
    verdict: verdict ?? (said.value === undefined ? 'approve' : 'answer'),
    ...said,
  }),
);

const expectedKeys = {
  status: choice('How it came to rest; `waiting` when nobody is left to answer what it asks.', [
    'completed',
    'failed',
    'cancelled',
    'waiting',
  ]).orElse('completed'),
  partial: flag('Whether it went on without all that it expected.'),
  output: anything('What it answers.', { winner: 'alder' }),
  results: openMap('Results of steps, by their name or id.', { review: { approved: true } }).orElse({}),
  spent: spent.orElse({}),
  replans: count('How many plans were repaired.', 0),
  codes: words('Codes that must have come up on its way: of failures, of rejected plans.', [
    'VERIFICATION_FAILED',
  ]).orElse([]),
};

/** How a run must end; `spent` are upper bounds. */
export type ExpectedOutcome = KeyValues<typeof expectedKeys>;

export const scenarioKeys = {
  name: text('What it shows, in a few words.', 'repairs its plan').orElse(''),
  description: text('What it is for, in a sentence.'),
  input: openMap('What the run is given.', { folder: 'data' }).orElse({}),
  environment: text("One of the template's environments.", 'llm'),
  cassette: text(
    'The recording that answers in the place of models and capabilities, relative to this file; without it they are really called.',
    'cassettes/repairs.json',
  ),
  budget: mapByName(
    'Limits, as with `run --budget`.',
    keyOf({ type: ['string', 'number'] }, (written) => (written === undefined ? undefined : String(written))),
    { max_total_llm_calls: 20 },
  ).orElse({}),
  raise: flag('Whether `budget` may loosen limits too.').or(false),
  answers: list('What people answer.', answer, { step: 'review', verdict: 'approve' }).orElse([]),
  expect: map(
    'How the run must end. Of maps only the keys that stand here are compared; texts, numbers and the length of lists must be the same.',
    expectedKeys,
    ['status'],
  ).orElse(readKeys(expectedKeys, {})),
};

export const scenariosKeys = {
  template: text('The template, relative to this file; the one beside it of the same name when absent.', 'plan.yaml'),
  scenarios: list('The runs.', map('One run.', scenarioKeys, ['name', 'expect'])).orElse([]),
};

export type Scenarios = KeyValues<typeof scenariosKeys>;

export const scenariosSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Reconverge scenarios',
  ...map('Runs of a template that must go as they went when they were recorded.', scenariosKeys, ['scenarios']).schema,
};
