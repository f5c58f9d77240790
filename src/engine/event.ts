// The events of a run: facts, appended to the journal, from which alone its state follows.

import type { Digest } from '../base/digest.ts';
import type { Failure } from '../base/failure.ts';
import type { Issue } from '../base/issue.ts';
import type { Instant } from '../base/quantity.ts';
import type { Amount, Limited } from '../budget/amount.ts';
import type { GraftedStep } from '../planning/graft.ts';
import type { Convergence } from './convergence.ts';
import type { Kept } from './kept.ts';

/** Why a step was skipped. */
export type SkipReason = 'when_false' | 'not_chosen' | 'tolerated' | 'upstream' | 'budget' | 'converged';

/** Who ordered something from outside, and why. */
export interface Order {
  readonly by: string;
  readonly why?: string;
}

/** A limit that was met. `time` counts milliseconds, everything else is as in an amount. */
export interface Exhaustion {
  readonly account: string;
  readonly resource: Limited | 'time';
  readonly limit: number;
  readonly spent: number;
  readonly reserved: number;
  /** What the landing set still had to itself. */
  readonly landing: number;
  /** Where the limit is written: `budget.max_total_steps`, or with the planning step's path before it. */
  readonly key: string;
}

export type Event =
  | {
      readonly type: 'run.started';
      readonly run: string;
      readonly template: Digest;
      readonly input: Kept;
      /** The folder that relative paths in the run mean. */
      readonly folder: string;
      readonly by: string;
    }
  | { readonly type: 'run.attached'; readonly by: string }
  | ({ readonly type: 'run.paused' } & Order)
  | ({ readonly type: 'run.resumed' } & Order)
  | ({ readonly type: 'run.cancelling' } & Order)
  | {
      readonly type: 'run.ended';
      readonly status: 'completed' | 'failed' | 'cancelled';
      readonly partial: boolean;
      readonly output: Kept;
      readonly failure?: Failure;
    }
  | {
      readonly type: 'attempt.started';
      readonly step: string;
      readonly attempt: number;
      /** How often this attempt has been handed out; absent: once. */
      readonly delivery?: number;
      readonly reserved?: Amount;
      readonly input?: Digest;
      /** The idempotency key of a call that changes the world; absent: `run/step#attempt`. */
      readonly key?: string;
    }
  | { readonly type: 'attempt.lost'; readonly step: string; readonly attempt: number; readonly assumed?: Amount }
  | {
      readonly type: 'attempt.failed';
      readonly step: string;
      readonly attempt: number;
      readonly failure: Failure;
      readonly bill?: Amount;
      readonly retryAt: Instant;
    }
  | {
      readonly type: 'verification.failed';
      readonly step: string;
      readonly attempt: number;
      readonly diagnosis: string;
    }
  | {
      readonly type: 'step.completed';
      readonly step: string;
      readonly value: Kept;
      readonly bill?: Amount;
      /** Paths in the result whose type was mended without loss. */
      readonly coerced?: readonly string[];
      readonly verified?: true;
    }
  | {
      readonly type: 'step.failed';
      readonly step: string;
      readonly failure: Failure;
      readonly bill?: Amount;
      /** The limit that it failed for. */
      readonly stop?: Exhaustion;
    }
  | {
      readonly type: 'step.skipped';
      readonly step: string;
      readonly reason: SkipReason;
      /** The step whose end is the root cause. */
      readonly root?: string;
      readonly failure?: Failure;
      readonly bill?: Amount;
    }
  | { readonly type: 'steps.cancelled'; readonly steps: readonly string[] }
  | {
      readonly type: 'plan.requested';
      readonly step: string;
      readonly attempt: number;
      readonly brief: Digest;
      readonly tokens: number;
    }
  | { readonly type: 'plan.proposed'; readonly step: string; readonly attempt: number; readonly reply: Kept }
  | {
      readonly type: 'fragment.rejected';
      readonly step: string;
      readonly attempt: number;
      readonly issues: readonly Issue[];
      readonly bill?: Amount;
    }
  | {
      readonly type: 'fragment.grafted';
      readonly planner: string;
      readonly attempt: number;
      readonly fragment: Digest;
      readonly rationale: string;
      readonly target: string;
      readonly steps: readonly GraftedStep[];
      readonly terminals: readonly string[];
      /** Steps and nested phases of the whole fragment. */
      readonly amount: Amount;
      readonly warnings?: readonly Issue[];
      /** The engine itself grafted the empty fragment, because the budget was spent. */
      readonly forced?: true;
    }
  | {
      readonly type: 'convergence.judged';
      readonly step: string;
      readonly satisfied: boolean;
      readonly convergence: Convergence;
    }
  | { readonly type: 'budget.warned'; readonly account: string; readonly resource: Limited; readonly percent: number }
  | ({ readonly type: 'budget.exhausted' } & Exhaustion);

export type EventType = Event['type'];
export type EventOf<T extends EventType> = Extract<Event, { readonly type: T }>;

/** An event in its place in the journal. */
export interface Recorded {
  /** Counts from 1 without gaps. */
  readonly version: number;
  readonly at: Instant;
  /** The version of the event that led to this one; 0 for orders from outside. */
  readonly cause: number;
  readonly event: Event;
}
