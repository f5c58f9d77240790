// Limits as people write them: the keys of a budget, what they bound, and their defaults.
import type { Duration } from '../base/quantity.ts';
import type { Limit, Limited } from './amount.ts';

/** The budget of a run, or the part of one that a planning step or a step narrows. */
export interface Budget {
  readonly limit: Limit;
  /** Deadline for the time in which something is pending. */
  readonly wallClock?: Duration;
  /** How deep planning may nest; a nested planner has one less. */
  readonly planningDepth?: number;
  readonly fragmentSteps?: number;
  /** The longest dependency chain of one fragment. */
  readonly fragmentDepth?: number;
  readonly fanOut?: number;
}

export interface RunBudget extends Budget {
  readonly wallClock: Duration;
  readonly planningDepth: number;
  readonly fragmentSteps: number;
  readonly fragmentDepth: number;
  readonly fanOut: number;
  /** Percent of cost, tokens, calls and time that only the landing set may use. */
  readonly landingReserve: number;
  /** Percent of any limit from which planners are told to converge. */
  readonly warnAt: number;
}

/** What a budget can run out of. `time` counts milliseconds, `planning_depth` the levels of planning that nest in each other. */
export type Exhaustible = Limited | 'time' | 'planning_depth';

/** New limits for an account; those that are not named stay. */
export interface Raise {
  readonly limit: Limit;
  readonly wallClock?: Duration;
  readonly planningDepth?: number;
}

/** The new limit of one resource, where it is named. */
export function raisedTo({ limit, wallClock, planningDepth }: Raise, of: Exhaustible): number | undefined {
  if (of === 'time') return wallClock;
  return of === 'planning_depth' ? planningDepth : limit[of];
}

/** The YAML key of each limit that adds up. */
export const limitKeys: Readonly<Record<string, Limited>> = {
  max_total_planning_phases: 'phases',
  max_total_steps: 'steps',
  max_total_llm_calls: 'llm_calls',
  max_total_tokens: 'tokens',
  max_total_tool_calls: 'tool_calls',
  max_cost_budget: 'cost_usd',
  max_total_replans: 'replans',
};

const keyOfLimit = new Map(Object.entries(limitKeys).map(([key, limited]) => [limited, key]));

/** `max_cost_budget`: the key under which the author would change this limit. */
export function limitKey(of: Exhaustible): string {
  if (of === 'time') return 'max_wall_clock_time';
  return of === 'planning_depth' ? 'max_planning_depth' : (keyOfLimit.get(of) ?? of);
}

/** The defaults of seed 000, save for the depth of a fragment: sound plans of models hold longer chains than three. */
export const defaultRunBudget = {
  limit: { phases: 5, steps: 100, llm_calls: 10, cost_usd: 5_000_000, replans: 5 },
  wallClock: 30 * 60_000,
  planningDepth: 3,
  fragmentSteps: 20,
  fragmentDepth: 8,
  fanOut: 10,
  landingReserve: 10,
  warnAt: 80,
} satisfies RunBudget;
