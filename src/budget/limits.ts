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

/** `budget.max_cost_budget`: where the author would change this limit. */
export function limitKey(limited: Limited): string {
  return keyOfLimit.get(limited) ?? limited;
}

/** The defaults of seed 000. */
export const defaultRunBudget: RunBudget = {
  limit: { phases: 5, steps: 100, llm_calls: 10, cost_usd: 5_000_000, replans: 5 },
  wallClock: 30 * 60_000,
  planningDepth: 3,
  fragmentSteps: 20,
  fragmentDepth: 3,
  fanOut: 10,
  landingReserve: 10,
  warnAt: 80,
};
