// The schema of `budget`, at the top of a template and on a step.
import type { JsonObject } from '../../base/json.ts';
import { choice, count, duration, map, money, type Properties, percent, size } from './build.ts';

const runLimits: Properties = {
  max_total_planning_phases: count('How many fragments may be grafted, nested ones included.', 0, 5),
  max_total_steps: count('How many steps there may be, authored and grafted.', 1, 100),
  max_total_llm_calls: count('How many calls of models.', 0, 10),
  max_total_tokens: size('Tokens of all model calls, in and out.'),
  max_total_tool_calls: count('How many calls of capabilities, each attempt one.', 0),
  max_wall_clock_time: duration(
    'Deadline for the time in which an attempt or a backoff is pending that is paid from here; waiting for people takes none.',
    '30m',
  ),
  max_cost_budget: money('What all of it may cost.', '$5.00'),
  max_total_replans: count('How many plans may be repaired.', 0, 5),
  max_planning_depth: count('How deep planning steps may nest.', 0, 3),
};

const fragmentLimits: Properties = {
  max_fragment_steps: count('How many steps one fragment may bring.', 0, 20),
  max_fragment_depth: count('The longest chain of dependencies in one fragment.', 0, 8),
  max_fan_out: count('How many steps one fan_out of a fragment may become.', 1, 10),
};

export const runBudgetSchema: JsonObject = map('What the whole run may use. A limit caps, it allots nothing.', {
  ...runLimits,
  ...fragmentLimits,
  landing_reserve: percent(
    'The share of cost, tokens, calls and time that only the steps after the last planning step may use.',
    '10%',
  ),
  warn_at: percent('From this share of a limit on, planners are told to finish.', '80%'),
  unpriced: choice(
    '`allow`: models without a price may be called although cost is limited.',
    ['allow', 'refuse'],
    'refuse',
  ),
});

export const childBudgetSchema: JsonObject = map(
  'What a run of it may use, where that is less than its own budget allows; never more than what is left of the run that calls it.',
  { ...runLimits, ...fragmentLimits },
);

export const stepBudgetSchema: JsonObject = map(
  'What this step may use, a part of what its parent may: any limit of the run, and for planning steps those of its fragments.',
  { ...runLimits, ...fragmentLimits },
);
