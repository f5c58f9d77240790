// The limits of a budget: keys, bounds and defaults.
import type { Duration } from '../base/quantity.ts';
import type { Limit, LimitedResource } from './amount.ts';

/** The budget of a run, or the narrower one of a planning step or a step. */
export interface Budget {
  readonly limit: Limit;
  /** The most time during which something is pending. */
  readonly wallClock?: Duration;
  /** The deepest nesting of planning; a nested planner gets one level less. */
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
  /** Percent of cost, tokens, calls and time that are reserved for the landing set. */
  readonly landingReserve: number;
  /** Percent of a limit at which planners are told to converge. */
  readonly warnAt: number;
}

/** Everything that a budget can run out of. `time` is in milliseconds; `planning_depth` counts nested levels of planning. */
export type Exhaustible = LimitedResource | 'time' | 'planning_depth';

/** New limits for an account; absent limits stay. */
export interface Raise {
  readonly limit: Limit;
  readonly wallClock?: Duration;
  readonly planningDepth?: number;
}

/** The new limit of one resource; undefined when it stays. */
export function raisedTo({ limit, wallClock, planningDepth }: Raise, of: Exhaustible): number | undefined {
  if (of === 'time') return wallClock;
  return of === 'planning_depth' ? planningDepth : limit[of];
}

/** The YAML key of each additive limit. */
export const limitKeys: Readonly<Record<string, LimitedResource>> = {
  max_total_planning_phases: 'phases',
  max_total_steps: 'steps',
  max_total_llm_calls: 'llm_calls',
  max_total_tokens: 'tokens',
  max_total_tool_calls: 'tool_calls',
  max_cost_budget: 'cost_usd',
  max_total_replans: 'replans',
};

const keyOfLimit = new Map(Object.entries(limitKeys).map(([key, limited]) => [limited, key]));

/** The key of a limit in a template: `max_cost_budget`. */
export function limitKey(of: Exhaustible): string {
  if (of === 'time') return 'max_wall_clock_time';
  return of === 'planning_depth' ? 'max_planning_depth' : (keyOfLimit.get(of) ?? of);
}

/** The defaults of seed 000, except for the fragment depth: sound plans of models contain chains of more than three steps. */
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
