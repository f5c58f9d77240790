// Keys of planning steps: who plans, for which goal and with which capabilities, and how plans are reviewed and repaired.
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import type { Expression } from '../references.ts';
import { effectList } from './effects.ts';
import { type KeyValues, readKeys, unread } from './key.ts';
import { anything, choice, condition, count, duration, forbids, lisp, map, text, words } from './kinds.ts';
import { needs } from './needs.ts';
import { type PatternSpec, patternKeys, type Strategy, strategies } from './pattern.ts';

const plannerKeys = {
  kind: choice('What kind of planner.', ['llm', 'lisp', 'pattern', 'hybrid', 'fixed', 'capability']),
  source: lisp('The rule: an expression over `data/packet` that returns a fragment.'),
  repair: lisp('The rule that plans again: when its last proposal was not accepted, and when a plan has failed.'),
  fragment: anything('The fragment of a fixed planner.', { steps: [] }),
  name: text('The capability that plans.', 'my.planner'),
  model: text('The model profile that plans, or that mends the plan of a fixed planner.'),
  strategy: choice(
    'How a model plans: it names intents without seeing tools, or seeing those that may serve, and the steps follow from them; or it plans the steps.',
    ['intent_first', 'grounded', 'direct'],
  ).shows('direct'),
  strategies: words(
    'Who takes a goal apart, in this order: the next one where one is not sure enough, and a person after the last.',
    ['pattern', 'grounded'],
  )
    .with({
      type: 'array',
      items: { type: 'string', enum: strategies },
      uniqueItems: true,
      minItems: 1,
      default: ['pattern', 'direct'],
    })
    .to((named): readonly Strategy[] | undefined =>
      named.length === 0
        ? undefined
        : [...new Set(named)].flatMap((name) => strategies.filter((each) => each === name)),
    ),
  ...patternKeys,
};

type PlannerKeys = KeyValues<typeof plannerKeys>;

/** A model planner plans with `direct` unless it has a strategy, and a hybrid one with `pattern` and then `direct`. */
export type PlannerSpec =
  | { readonly kind: 'lisp'; readonly source: Expression; readonly repair?: Expression }
  | { readonly kind: 'fixed'; readonly fragment: Json; readonly repair?: Expression; readonly model?: string }
  | { readonly kind: 'capability'; readonly name: string }
  | ({ readonly kind: 'llm' } & Pick<PlannerKeys, 'model' | 'strategy'>)
  | ({ readonly kind: 'pattern' } & PatternSpec)
  | ({ readonly kind: 'hybrid' } & Pick<PlannerKeys, 'model' | 'strategies'> & PatternSpec);

/** A planner, inline or under its name in `planners`. */
export const planner = map('Who proposes the fragment.', plannerKeys, ['kind'])
  .with({
    allOf: [
      condition(kindIs('lisp'), { required: ['source'] }, forbids(['source'])),
      condition(kindIs('fixed'), { required: ['fragment'] }, forbids(['fragment'])),
      condition(kindIs('capability'), { required: ['name'] }, forbids(['name'])),
      condition(kindIs('lisp', 'fixed'), {}, forbids(['repair'])),
      condition(kindIs('llm', 'hybrid', 'fixed'), {}, forbids(['model'])),
      condition(kindIs('llm'), {}, forbids(['strategy'])),
      condition(kindIs('hybrid'), {}, forbids(['strategies'])),
      condition(kindIs('pattern', 'hybrid'), {}, forbids(Object.keys(patternKeys))),
    ],
    examples: [{ kind: 'lisp', source: { $lisp: '{:steps []}' } }],
  })
  .to(plannerOf);

/** A planner without the key that its kind requires is left out. */
function plannerOf(read: PlannerKeys): PlannerSpec | undefined {
  const { kind, source, repair, fragment, name, model, strategy, strategies } = read;
  const { kinds, sequential, askBelow, attachments } = read;
  const pattern = { kinds, sequential, ...defined({ askBelow }), attachments };
  switch (kind) {
    case 'lisp':
      return source && { kind, source, ...defined({ repair }) };
    case 'fixed':
      return fragment === undefined ? undefined : { kind, fragment, ...defined({ repair, model }) };
    case 'capability':
      return name === undefined ? undefined : { kind, name };
    case 'llm':
      return { kind, ...defined({ model, strategy }) };
    case 'pattern':
      return { kind, ...pattern };
    case 'hybrid':
      return { kind, ...pattern, ...defined({ model, strategies }) };
    default:
      return undefined;
  }
}

function kindIs(...kinds: readonly string[]): JsonObject {
  return { required: ['kind'], properties: { kind: { enum: kinds } } };
}

/** Keys of planning steps and of the template's own repair planner. */
const plannedKeys = {
  planner: planner.with({
    type: ['object', 'string'],
    'x-expects': 'a planner such as { kind: llm }, or the name of one under planners:',
    description: 'Who proposes the fragment: a planner, or the name of one under `planners`.',
  }),
  goal: text('What the planner is asked to bring about; with references.', 'Find out what each file holds.'),
  allow: words('The capabilities it may use, as globs; all that the template grants when empty.', [
    'files.*',
    'csv.sniff',
  ]).orElse([]),
  deny: words('The capabilities it may not use, as globs.', ['shell.*']).orElse([]),
  constraints: words('What the planner is told to respect.').orElse([]),
  max_attempts: count('How many fragments a planner may propose before its step fails.', 1).or(3),
  on_planning_failure: choice(
    'What the run comes to when the step brings no plan: it fails, or the gap is tolerated and the run completes in part. A nested planning step that says nothing follows the one that brought it. An exhausted budget is never tolerated.',
    ['fail', 'tolerate'],
  ).shows('fail'),
};

/** When a person is asked about repairs, and how many there may be. */
const repairKeys = {
  approval: choice('When a person must agree to the new plan; `on_budget`: when little of the budget is left.', [
    'never',
    'on_budget',
    'always',
  ]).or('never'),
  // biome-ignore lint/suspicious/noThenProperty: the word of the design
  then: choice('What happens after the last repair.', ['fail', 'ask']).or('fail').as('afterLast'),
  max_replan_attempts: count('How often one failing step may be repaired.', 0).or(3).as('maxAttempts'),
  replan_cooldown: duration('How long after the last repair began the next one may begin.').or('1s').as('cooldown'),
};

const replanKeys = {
  max: count(
    'How often the whole phase may be planned again; for `lisp`, `fixed` and `pattern` planners 0 when nothing is said.',
    0,
  ).shows(1),
  scope: choice('What is planned again: what hangs on the failed step, or all of the phase that has not begun.', [
    'tail',
    'phase',
  ]).or('tail'),
  ...repairKeys,
};

export type ReplanSpec = KeyValues<typeof replanKeys>;

export const defaultReplan: ReplanSpec = readKeys(replanKeys, {});

export const planningKeys = {
  ...plannedKeys,
  replan: map('When and how the plan of this phase is repaired.', replanKeys),
  convergence_target: text('The step at which the phase comes together.', 'finalize').as('target'),
  needs: needs('What the planner is shown whatever the strategy; all that it is shown where that is `selective`.').to(
    (named) => (named.length === 0 ? undefined : named),
  ),
  plan_review: map(
    'When a person reviews a plan before it is grafted.',
    {
      when: lisp(
        'Whether a person reviews the plan, by `data/plan` (its steps, estimate, rationale and score), `data/budget` (what is left) and `data/input`.',
        '(> (count (:steps data/plan)) 10)',
      ),
    },
    ['when'],
  )
    .to(({ when }): { readonly when: Expression } | undefined => when && { when })
    .orShort(
      {
        type: ['boolean', 'string', 'object'],
        pattern: '^(never|always)$',
        'x-expects': 'true, always, never, or { when: !lisp … }',
        default: 'never',
      },
      (written) => (written === true || written === 'always' ? ('always' as const) : undefined),
    )
    .as('review'),
};

/**
 * Fragments may leave out `planner` and `target`: a nested planning step takes both from the step that planned it. It
 * also follows that step where it sets no `onPlanningFailure`, else a failure fails the run. Without `replan`,
 * `defaultReplan` holds.
 */
export type PlanningSpec = KeyValues<typeof planningKeys>;

/** The template's own repair planner; it is read as a planning step. */
export const repair = unread(
  map(
    'Who plans again what an authored step could not do that asks for it with `replan`; the repair ends at the next convergence step behind it.',
    {
      ...plannedKeys,
      effects: effectList('The only effects that what it plans may have, beside what the run allows.', ['read']),
      replan: map('How its plans are repaired in turn.', repairKeys),
    },
    ['planner'],
  ).schema,
);
