// What the planner of a repair is told beside the rest: what failed, in which plan, and what was tried before.
import type { Json } from '../base/json.ts';

/** Plain JSON; values are shrunk. */
export interface RepairBrief {
  /** What the repair takes the place of. */
  readonly scope: 'tail' | 'phase';
  /** Counts repairs of repairs, this one included. */
  readonly trial: number;
  readonly failed: readonly FailedStep[];
  /** The plan in which it failed. */
  readonly plan: FailedPlan;
  /** The plans before this repair, oldest first, each with what failed in it. */
  readonly trials: readonly Trial[];
  /** Steps whose results stay; the same calls with the same input are not made again. */
  readonly succeeded: readonly string[];
  readonly advice: string;
}

export interface FailedStep {
  readonly step: string;
  readonly capability?: string;
  readonly agent?: string;
  /** The agent's task. */
  readonly task?: string;
  /** What the capability was called with, or the agent was given. */
  readonly input?: Json;
  /** What it answered, where that did not pass. */
  readonly output?: Json;
  readonly code: string;
  /** The diagnosis. */
  readonly message: string;
  /** Attempts with the same input that failed before this one. */
  readonly attempts?: readonly FailedAttempt[];
}

interface FailedAttempt {
  readonly attempt: number;
  /** What it answered, where that did not pass. */
  readonly output?: Json;
  readonly code: string;
  readonly message: string;
}

interface FailedPlan {
  readonly planner: string;
  readonly rationale: string;
  readonly steps: readonly PlannedStep[];
}

export interface PlannedStep {
  readonly name: string;
  readonly type: string;
  readonly capability?: string;
  readonly depends_on: readonly string[];
  readonly status: string;
}

interface Trial {
  readonly planner: string;
  readonly rationale: string;
  readonly failed: readonly FailedStep[];
}

export const REPAIR_ADVICE =
  'Plan only what is still missing. Results that are there stay and can be referred to. ' +
  'Do not repeat what failed: take another way around it. If it cannot be done, answer {"impossible": "the reason"}.';
