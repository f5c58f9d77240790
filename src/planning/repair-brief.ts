// The extra brief of a repair: the failures, their plan and earlier trials.
import type { Json } from '../base/json.ts';

/** Plain JSON with shrunk values. */
export interface RepairBrief {
  /** The part that the repair replaces. */
  readonly scope: 'tail' | 'phase';
  /** The number of this repair, counting repairs of repairs from 1. */
  readonly trial: number;
  readonly failed: readonly FailedStep[];
  /** The failed plan. */
  readonly plan: FailedPlan;
  /** Earlier plans, oldest first, each with its failures. */
  readonly trials: readonly Trial[];
  /** Steps with results that stay; equal calls are not repeated. */
  readonly succeeded: readonly string[];
  readonly advice: string;
}

export interface FailedStep {
  readonly step: string;
  readonly capability?: string;
  readonly agent?: string;
  /** The agent's task. */
  readonly task?: string;
  /** The input of the capability or agent. */
  readonly input?: Json;
  /** The refused output. */
  readonly output?: Json;
  readonly code: string;
  /** The diagnosis of the failure. */
  readonly message: string;
  /** Earlier failed attempts with the same input. */
  readonly attempts?: readonly FailedAttempt[];
}

interface FailedAttempt {
  readonly attempt: number;
  /** The refused output. */
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
