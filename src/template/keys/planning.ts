// Keys of planning steps: the planner, its goal and its capabilities, and how plans are reviewed and repaired.
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import type { Expression } from '../references.ts';
import { effectList } from './effects.ts';
import { type KeyValues, readKeys, unread } from './key.ts';
import { anything, choice, condition, count, duration, forbids, lisp, map, text, words } from './kinds.ts';
import { needs } from './needs.ts';
import { type PatternSpec, patternKeys, type Strategy, strategies } from './pattern.ts';

const plannerKeys = {
  kind: choice('The kind of planner.', ['llm', 'lisp', 'pattern', 'hybrid', 'fixed', 'capability']),
  source: lisp('The rule of a `lisp` planner: an expression over `data/packet` that returns a fragment.'),
  repair: lisp('The repair rule: it plans when the last proposal was rejected, and when a plan has failed.'),
  fragment: anything('The fragment of a `fixed` planner.', { steps: [] }),
  name: text('The capability that plans, for kind `capability`.', 'my.planner'),
  model: text('The profile of the model that plans, or that repairs the plan of a `fixed` planner.'),
  strategy: choice(
    'How a model plans. `intent_first`: it names intents without seeing tools. `grounded`: it names intents and sees matching tools. In both cases the steps follow from the intents. `direct`: it plans the steps.',
    ['intent_first', 'grounded', 'direct'],
  ).shows('direct'),
  strategies: words(
    'The strategies that split a goal into tasks, in this order: the next strategy is tried when one is not confident enough, and a person is asked after the last.',
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

/** The default strategy of a model planner is `direct`; the default strategies of a hybrid planner are `pattern`, then `direct`. */
export type PlannerSpec =
  | { readonly kind: 'lisp'; readonly source: Expression; readonly repair?: Expression }
  | { readonly kind: 'fixed'; readonly fragment: Json; readonly repair?: Expression; readonly model?: string }
  | { readonly kind: 'capability'; readonly name: string }
  | ({ readonly kind: 'llm' } & Pick<PlannerKeys, 'model' | 'strategy'>)
  | ({ readonly kind: 'pattern' } & PatternSpec)
  | ({ readonly kind: 'hybrid' } & Pick<PlannerKeys, 'model' | 'strategies'> & PatternSpec);

/** A planner, inline or under its name in `planners`. */
export const planner = map('The planner, which proposes the fragment.', plannerKeys, ['kind'])
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

/** Undefined when the key that the kind requires is absent. */
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
    description: 'The planner, which proposes the fragment: a map, or the name of a planner under `planners`.',
  }),
  goal: text('The goal of the plan; may have references.', 'Find out what each file holds.'),
  allow: words('The capabilities that the plan may use, as globs; all that the template grants when empty.', [
    'files.*',
    'csv.sniff',
  ]).orElse([]),
  deny: words('The capabilities that the plan must not use, as globs.', ['shell.*']).orElse([]),
  constraints: words('Constraints that the planner is told to respect.').orElse([]),
  max_attempts: count('The most fragments that the planner may propose before the step fails.', 1).or(3),
  on_planning_failure: choice(
    'The reaction when the step ends without a plan: the run fails, or the gap is tolerated and the run completes in part. A nested planning step without this key inherits it from the step that planned it. An exhausted budget is never tolerated.',
    ['fail', 'tolerate'],
  ).shows('fail'),
};

/** Keys that limit repairs and decide when a person approves them. */
const repairKeys = {
  approval: choice('When a person must approve the new plan; `on_budget`: when little of the budget is left.', [
    'never',
    'on_budget',
    'always',
  ]).or('never'),
  // biome-ignore lint/suspicious/noThenProperty: the word of the design
  then: choice('The reaction when the last repair has failed.', ['fail', 'ask']).or('fail').as('afterLast'),
  max_replan_attempts: count('The most repairs of one failing step.', 0).or(3).as('maxAttempts'),
  replan_cooldown: duration('The least time between the beginnings of two repairs.').or('1s').as('cooldown'),
};

const replanKeys = {
  max: count(
    'The most repairs of the whole phase; the default is 0 for `lisp`, `fixed` and `pattern` planners.',
    0,
  ).shows(1),
  scope: choice(
    'The steps that a repair plans anew: those that depend on the failed step (`tail`), or all steps of the phase that have not begun (`phase`).',
    ['tail', 'phase'],
  ).or('tail'),
  ...repairKeys,
};

export type ReplanSpec = KeyValues<typeof replanKeys>;

export const defaultReplan: ReplanSpec = readKeys(replanKeys, {});

export const planningKeys = {
  ...plannedKeys,
  replan: map('How the plan of this phase is repaired.', replanKeys),
  convergence_target: text('The convergence target: the step at which the phase converges.', 'finalize').as('target'),
  needs: needs(
    'Results that the planner is shown with every context strategy; with `selective`, the only results that it is shown.',
  ).to((named) => (named.length === 0 ? undefined : named)),
  plan_review: map(
    'Whether a person reviews the plan before it is grafted.',
    {
      when: lisp(
        'The condition of the review, over `data/plan` (its steps, estimate, rationale and score), `data/budget` (the rest of the budget) and `data/input`.',
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
 * In a fragment `planner`, `target` and `onPlanningFailure` may be absent: a nested planning step inherits them from the
 * step that planned it. Otherwise a planning failure fails the run by default. Without `replan`, `defaultReplan` applies.
 */
export type PlanningSpec = KeyValues<typeof planningKeys>;

/** The template's repair planner, which is read as a planning step. */
export const repair = unread(
  map(
    'The repair planner for authored steps with `on_failure: replan`. A repair ends at the next convergence step behind the failed step.',
    {
      ...plannedKeys,
      effects: effectList('The only effects that planned steps may have, within those that the run allows.', ['read']),
      replan: map('How the plans of the repair planner are repaired.', repairKeys),
    },
    ['planner'],
  ).schema,
);
