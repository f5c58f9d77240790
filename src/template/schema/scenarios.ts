// Keys of a template's recorded scenarios: the input, the answers of people, and the expected end of each run.
import type { JsonObject } from '../../base/json.ts';
import { type LimitedResource, limitable } from '../../budget/amount.ts';
import { type KeyValues, keyOf, readKeys } from '../keys/key.ts';
import { anything, choice, count, flag, list, map, mapByName, money, openMap, text, words } from '../keys/kinds.ts';

const mostOf = Object.fromEntries(
  limitable.map((resource) => [resource, count(`The most of \`${resource}\`.`, 0).as(resource)]),
);

/** Read under the names of the resources; `cost_usd` is in micro-dollars. */
const spent = map('The most that the run may spend, by resource.', {
  ...mostOf,
  cost_usd: money('The most that the run may cost, in US dollars.').as('cost_usd'),
}).to((read): Readonly<Partial<Record<LimitedResource, number>>> => read);

const answerKeys = {
  step: text('The name or the id of the step that asks; any step when absent.', 'review'),
  kind: choice('The kind of question; any kind when absent.', [
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
  verdict: choice('The verdict; when absent, `answer` with a `value`, else `approve`.', [
    'approve',
    'reject',
    'answer',
    'edit',
  ]),
  value: anything('The answer, or the edited plan.', { approved: true, notes: 'fine' }),
  why: text('The reason, which is recorded in the run.'),
};

export type PersonsAnswer = KeyValues<typeof answerKeys> & Required<Pick<KeyValues<typeof answerKeys>, 'verdict'>>;

const answer = map(
  'The answer of a person at a gate. The first answer that fits an open gate is given; each is given once.',
  answerKeys,
).to(
  ({ verdict, ...said }): PersonsAnswer => ({
    verdict: verdict ?? (said.value === undefined ? 'approve' : 'answer'),
    ...said,
  }),
);

const expectedKeys = {
  status: choice('The final status of the run; `waiting` when no answer fits its open gates.', [
    'completed',
    'failed',
    'cancelled',
    'waiting',
  ]).orElse('completed'),
  partial: flag('Whether the run completed in part.'),
  output: anything('The result of the run.', { winner: 'alder' }),
  results: openMap('Results of steps, by name or id.', { review: { approved: true } }).orElse({}),
  spent: spent.orElse({}),
  replans: count('The number of repairs.', 0),
  codes: words('Codes of failures and of rejected plans that must occur in the run.', ['VERIFICATION_FAILED']).orElse(
    [],
  ),
};

/** How a run must end; `spent` are upper bounds. */
export type ExpectedOutcome = KeyValues<typeof expectedKeys>;

const scenarioKeys = {
  name: text('The name of the scenario, in a few words.', 'repairs its plan').orElse(''),
  description: text('The purpose of the scenario, in one sentence.'),
  input: openMap('The input of the run.', { folder: 'data' }).orElse({}),
  environment: text("The name of one of the template's environments.", 'llm'),
  cassette: text(
    'The cassette that answers for models and capabilities, relative to this file; when absent, they are really called.',
    'cassettes/repairs.json',
  ),
  budget: mapByName(
    'Limits of the run, as with `run --budget`.',
    keyOf({ type: ['string', 'number'] }, (written) => (written === undefined ? undefined : String(written))),
    { max_total_llm_calls: 20 },
  ).orElse({}),
  raise: flag('Whether `budget` may also raise limits.').or(false),
  answers: list('The answers of people.', answer, { step: 'review', verdict: 'approve' }).orElse([]),
  expect: map(
    'The expected end of the run. Maps are compared only by the keys given here; texts, numbers and the lengths of lists must be equal.',
    expectedKeys,
    ['status'],
  ).orElse(readKeys(expectedKeys, {})),
};

/** A recorded run of a template: its input, the answers of people, and its expected end. */
export type Scenario = KeyValues<typeof scenarioKeys>;

export const scenariosKeys = {
  template: text(
    'The template, relative to this file; when absent, the template of the same name beside this file.',
    'plan.yaml',
  ),
  scenarios: list(
    'The scenarios.',
    map('A scenario: one run of the template.', scenarioKeys, ['name', 'expect']),
  ).orElse([]),
};

export type Scenarios = KeyValues<typeof scenariosKeys>;

export const scenariosSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Reconverge scenarios',
  ...map('Runs of a template that must end as recorded.', scenariosKeys, ['scenarios']).schema,
};
