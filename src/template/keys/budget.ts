// The keys of `budget`, at the top of a template, on a step and on a child template.
import { defined, type JsonObject } from '../../base/json.ts';
import { durationText, moneyText } from '../../base/quantity.ts';
import { type Limit, limitable } from '../../budget/amount.ts';
import { type Budget, defaultRunBudget, type RunBudget } from '../../budget/limits.ts';
import { type Key, type KeyValues, readKeys } from './key.ts';
import { choice, count, duration, map, money, percent, size } from './kinds.ts';

const { limit: usual, ...defaults } = defaultRunBudget;

const limitKeys = {
  max_total_planning_phases: count('How many fragments may be grafted, nested ones included.', 0)
    .shows(usual.phases)
    .as('phases'),
  max_total_steps: count('How many steps there may be, authored and grafted.', 1).shows(usual.steps).as('steps'),
  max_total_llm_calls: count('How many calls of models.', 0).shows(usual.llm_calls).as('llm_calls'),
  max_total_tokens: size('Tokens of all model calls, in and out.').as('tokens'),
  max_total_tool_calls: count('How many calls of capabilities, each attempt one.', 0).as('tool_calls'),
  max_wall_clock_time: duration(
    'Deadline for the time in which an attempt or a backoff is pending that is paid from here; waiting for people takes none.',
  )
    .shows(durationText(defaults.wallClock))
    .as('wallClock'),
  max_cost_budget: money('What all of it may cost.').shows(moneyText(usual.cost_usd)).as('cost_usd'),
  max_total_replans: count('How many plans may be repaired.', 0).shows(usual.replans).as('replans'),
  max_planning_depth: count('How deep planning steps may nest.', 0).shows(defaults.planningDepth).as('planningDepth'),
  max_fragment_steps: count('How many steps one fragment may bring.', 0)
    .shows(defaults.fragmentSteps)
    .as('fragmentSteps'),
  max_fragment_depth: count('The longest chain of dependencies in one fragment.', 0)
    .shows(defaults.fragmentDepth)
    .as('fragmentDepth'),
  max_fan_out: count('How many steps one fan_out of a fragment may become.', 1).shows(defaults.fanOut).as('fanOut'),
};

const runBudgetKeys = {
  ...limitKeys,
  landing_reserve: percent(
    'The share of cost, tokens, calls and time that only the steps after the last planning step may use.',
  ).or(`${defaults.landingReserve}%`),
  warn_at: percent('From this share of a limit on, planners are told to finish.').or(`${defaults.warnAt}%`),
  unpriced: choice('`allow`: models without a price may be called although cost is limited.', [
    'allow',
    'refuse',
  ]).shows('refuse'),
};

export const runBudget = map('What the whole run may use. A limit caps, it allots nothing.', runBudgetKeys);

const partOfBudget = (description: string): Key<Budget, undefined, false> => map(description, limitKeys).to(budgetOf);

export const childBudget = partOfBudget(
  'What a run of it may use, where that is less than its own budget allows; never more than what is left of the run that calls it.',
);

export const stepBudget = partOfBudget(
  'What this step may use, a part of what its parent may: any limit of the run, and for planning steps those of its fragments.',
);

/** Limits that add up are kept together, under the names of their resources. */
function budgetOf(read: KeyValues<typeof limitKeys>): Budget {
  const { wallClock, planningDepth, fragmentSteps, fragmentDepth, fanOut } = read;
  const limit: Limit = Object.fromEntries(
    Object.entries(read).filter(([name]) => limitable.some((limited) => limited === name)),
  );
  return { limit, ...defined({ wallClock, planningDepth, fragmentSteps, fragmentDepth, fanOut }) };
}

export function readRunBudget(raw: JsonObject): RunBudget {
  const read = readKeys(runBudgetKeys, raw);
  const { limit, ...more } = budgetOf(read);
  const { landingReserve, warnAt } = read;
  return { ...defaults, ...more, limit: { ...usual, ...limit }, landingReserve, warnAt };
}
