// The times of steps, attempts and calls: the shapes that the timeline, the graph and the panel of a step read.
import type { Instant, MicroDollars } from '../../base/quantity.ts';

/** One call of an attempt. */
export interface CallTimes {
  readonly kind: 'model' | 'tool';
  /** The model profile, the embeddings model or the capability. */
  readonly name: string;
  readonly began: Instant;
  readonly ended?: Instant;
  readonly cost?: MicroDollars;
  /** Tokens in and out together. */
  readonly tokens?: number;
  readonly failed?: true;
}

/** One delivery of an attempt to a worker. */
export interface AttemptTimes {
  /** Counts from 1; two deliveries of one attempt have the same number. */
  readonly number: number;
  readonly began: Instant;
  readonly ended?: Instant;
  /** The reason why the attempt ended without a result. */
  readonly failed?: { readonly code: string; readonly message: string };
  readonly calls: readonly CallTimes[];
  /** The cost of the attempt and its calls. */
  readonly cost?: MicroDollars;
}

/** A stretch of time in which a step was held for a gate. */
export interface HeldTimes {
  readonly gate: string;
  readonly began: Instant;
  readonly ended?: Instant;
}

/**
 * The times of one step. It waits for other steps from `planned` to `ready`, is queued from `ready` to `began`, and
 * works in its attempts.
 */
export interface StepTimes {
  /** When the step joined the graph. */
  readonly planned: Instant;
  /** When the last step that it waits for ended; absent while it waits, and for steps that nothing ever made ready. */
  readonly ready?: Instant;
  /** When its first attempt began, its gate opened or its items were known; absent for steps that never began. */
  readonly began?: Instant;
  /** When it completed, failed, was skipped, canceled, adopted or replaced. */
  readonly ended?: Instant;
  /** It ended as failed. */
  readonly failed?: true;
  /** It took over the result of work that was done before. */
  readonly adopted?: true;
  readonly attempts: readonly AttemptTimes[];
  /** The gates that held it, the oldest first. */
  readonly held: readonly HeldTimes[];
}

/** A moment that the timeline marks. */
export interface TimeMark {
  readonly kind: 'failed' | 'replan' | 'gate';
  readonly at: Instant;
  /** The version of the event. */
  readonly version: number;
  /** The failed step, the new planning step, or the step that was held. */
  readonly step: string;
  /** The id of the gate. */
  readonly gate?: string;
}

/** A stretch of time in which the run did not go on: it was paused, or nobody drove it. */
export interface RestTimes {
  readonly why: 'paused' | 'away';
  readonly began: Instant;
  readonly ended?: Instant;
}

/** A stretch of time in which at least one attempt was at work. */
export interface BusyTimes {
  readonly began: Instant;
  readonly ended?: Instant;
}
