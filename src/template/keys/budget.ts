// The key `budget`, at the top of a template, on a step and on a child template.
import { defined, type JsonObject } from '../../base/json.ts';
import { durationText, moneyText } from '../../base/quantity.ts';
import { type Limit, limitable } from '../../budget/amount.ts';
import { type Budget, defaultRunBudget, type RunBudget } from '../../budget/limits.ts';
import { type Key, type KeyValues, readKeys } from './key.ts';
import { choice, count, duration, map, money, percent, size } from './kinds.ts';

const { limit: usual, ...defaults } = defaultRunBudget;

const limitKeys = {
  max_total_planning_phases: count('The most fragments that may be grafted, including nested ones.', 0)
    .shows(usual.phases)
    .as('phases'),
  max_total_steps: count('The most steps, authored and grafted.', 1).shows(usual.steps).as('steps'),
  max_total_llm_calls: count('The most model calls.', 0).shows(usual.llm_calls).as('llm_calls'),
  max_total_tokens: size('The most input and output tokens of all model calls.').as('tokens'),
  max_total_tool_calls: count('The most capability calls; each attempt counts.', 0).as('tool_calls'),
  max_wall_clock_time: duration(
    'The most time during which an attempt or a backoff of this budget is pending; waiting for people does not count.',
  )
    .shows(durationText(defaults.wallClock))
    .as('wallClock'),
  max_cost_budget: money('The most that all calls may cost, in US dollars.')
    .shows(moneyText(usual.cost_usd))
    .as('cost_usd'),
  max_total_replans: count('The most repairs of plans.', 0).shows(usual.replans).as('replans'),
  max_planning_depth: count('The deepest nesting of planning steps.', 0)
    .shows(defaults.planningDepth)
    .as('planningDepth'),
  max_fragment_steps: count('The most steps of one fragment.', 0).shows(defaults.fragmentSteps).as('fragmentSteps'),
  max_fragment_depth: count('The longest chain of dependencies in one fragment.', 0)
    .shows(defaults.fragmentDepth)
    .as('fragmentDepth'),
  max_fan_out: count('The most steps that one fan_out of a fragment may become.', 1)
    .shows(defaults.fanOut)
    .as('fanOut'),
};

const runBudgetKeys = {
  ...limitKeys,
  landing_reserve: percent(
    'The share of cost, tokens, calls and time that is reserved for the steps after the last planning step.',
  ).or(`${defaults.landingReserve}%`),
  warn_at: percent('The used share of a limit from which planners are told to finish.').or(`${defaults.warnAt}%`),
  unpriced: choice('`allow` lets models without a known price be called although cost is limited.', [
    'allow',
    'refuse',
  ]).shows('refuse'),
};

export const runBudget = map('The limits of the whole run. A limit reserves nothing for anyone.', runBudgetKeys);

const partOfBudget = (description: string): Key<Budget, undefined, false> => map(description, limitKeys).to(budgetOf);

export const childBudget = partOfBudget(
  'The limits of one child run, where they are lower than those of the child template. A child run never gets more than its parent run has left.',
);

export const stepBudget = partOfBudget(
  'The limits of this step, within the limits of its parent: any limit of the run, and for planning steps the limits of fragments.',
);

/** Collects the limits that add up under `limit`, by the names of their resources. */
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
