// The schema of what a planning step says: who plans, what for, with what, and how plans are reviewed and repaired.
import type { JsonObject } from '../../base/json.ts';
import { strategies } from '../keys/pattern.ts';
import {
  anything,
  choice,
  condition,
  count,
  duration,
  forbids,
  lisp,
  map,
  needs,
  type Properties,
  text,
  words,
} from './build.ts';
import { effectList } from './effects.ts';
import { patternProperties } from './pattern.ts';

/** When a person is asked about repairs, and how many there may be. */
const repairs: Properties = {
  approval: choice(
    'When a person must agree to the new plan; `on_budget`: when little of the budget is left.',
    ['never', 'on_budget', 'always'],
    'never',
  ),
  // biome-ignore lint/suspicious/noThenProperty: the word of the design
  then: choice('What happens after the last repair.', ['fail', 'ask'], 'fail'),
  max_replan_attempts: count('How often one failing step may be repaired.', 0, 3),
  replan_cooldown: duration('How long after the last repair began the next one may begin.', '1s'),
};

/** One planner, where it stands or under its name in `planners`. */
export const plannerSchema: JsonObject = {
  type: 'object',
  description: 'Who proposes the fragment.',
  required: ['kind'],
  properties: {
    kind: choice('What kind of planner.', ['llm', 'lisp', 'pattern', 'hybrid', 'fixed', 'capability']),
    source: lisp('The rule: an expression over `data/packet` that returns a fragment.'),
    repair: lisp('The rule that plans again: when its last proposal was not accepted, and when a plan has failed.'),
    fragment: anything('The fragment of a fixed planner.', { steps: [] }),
    name: text('The capability that plans.', 'my.planner'),
    model: text('The model profile that plans, or that mends the plan of a fixed planner.'),
    strategy: choice(
      'How a model plans: it names intents without seeing tools, or seeing those that may serve, and the steps follow from them; or it plans the steps.',
      ['intent_first', 'grounded', 'direct'],
      'direct',
    ),
    strategies: {
      type: 'array',
      items: { type: 'string', enum: [...strategies] },
      uniqueItems: true,
      minItems: 1,
      description:
        'Who takes a goal apart, in this order: the next one where one is not sure enough, and a person after the last.',
      default: ['pattern', 'direct'],
      examples: [['pattern', 'grounded']],
    },
    ...patternProperties,
  },
  additionalProperties: false,
  allOf: [
    condition(kindIs('lisp'), { required: ['source'] }, forbids(['source'])),
    condition(kindIs('fixed'), { required: ['fragment'] }, forbids(['fragment'])),
    condition(kindIs('capability'), { required: ['name'] }, forbids(['name'])),
    condition(kindIs('lisp', 'fixed'), {}, forbids(['repair'])),
    condition(kindIs('llm', 'hybrid', 'fixed'), {}, forbids(['model'])),
    condition(kindIs('llm'), {}, forbids(['strategy'])),
    condition(kindIs('hybrid'), {}, forbids(['strategies'])),
    condition(kindIs('pattern', 'hybrid'), {}, forbids(Object.keys(patternProperties))),
  ],
  examples: [{ kind: 'lisp', source: { $lisp: '{:steps []}' } }],
};

/** Of planning steps and of the template's own repair planner. */
const asked: Properties = {
  planner: {
    ...plannerSchema,
    type: ['object', 'string'],
    'x-expects': 'a planner such as { kind: llm }, or the name of one under planners:',
    description: 'Who proposes the fragment: a planner, or the name of one under `planners`.',
  },
  goal: text('What the planner is asked to bring about; with references.', 'Find out what each file holds.'),
  allow: words('The capabilities it may use, as globs; all that the template grants when empty.', [
    'files.*',
    'csv.sniff',
  ]),
  deny: words('The capabilities it may not use, as globs.', ['shell.*']),
  constraints: words('What the planner is told to respect.'),
  max_attempts: count('How many fragments a planner may propose before its step fails.', 1, 3),
  on_planning_failure: choice(
    'What the run comes to when the step brings no plan: it fails, or the gap is tolerated and the run completes in part. A nested planning step that says nothing follows the one that brought it. An exhausted budget is never tolerated.',
    ['fail', 'tolerate'],
    'fail',
  ),
};

export const planningProperties: Properties = {
  ...asked,
  replan: map('When and how the plan of this phase is repaired.', {
    max: count(
      'How often the whole phase may be planned again; for `lisp`, `fixed` and `pattern` planners 0 when nothing is said.',
      0,
      1,
    ),
    scope: choice(
      'What is planned again: what hangs on the failed step, or all of the phase that has not begun.',
      ['tail', 'phase'],
      'tail',
    ),
    ...repairs,
  }),
  convergence_target: text('The step at which the phase comes together.', 'finalize'),
  needs: needs('What the planner is shown whatever the strategy; all that it is shown where that is `selective`.'),
  plan_review: {
    type: ['boolean', 'string', 'object'],
    pattern: '^(never|always)$',
    required: ['when'],
    properties: {
      when: lisp(
        'Whether a person reviews the plan, by `data/plan` (its steps, estimate, rationale and score), `data/budget` (what is left) and `data/input`.',
        '(> (count (:steps data/plan)) 10)',
      ),
    },
    additionalProperties: false,
    'x-expects': 'true, always, never, or { when: !lisp … }',
    default: 'never',
    description: 'When a person reviews a plan before it is grafted.',
  },
};

/** The template's own repair planner. */
export const repairSchema: JsonObject = map(
  'Who plans again what an authored step could not do that asks for it with `replan`; the repair ends at the next convergence step behind it.',
  {
    ...asked,
    effects: effectList('The only effects that what it plans may have, beside what the run allows.', ['read']),
    replan: map('How its plans are repaired in turn.', repairs),
  },
  ['planner'],
);

function kindIs(...kinds: readonly string[]): JsonObject {
  return { required: ['kind'], properties: { kind: { enum: kinds } } };
}
