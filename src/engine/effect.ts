// Effects: what a run asks of the world. They are performed after the events that cause them are durable, at least once.
import type { Json } from '../base/json.ts';
import type { Duration } from '../base/quantity.ts';
import type { Brief } from '../planning/brief.ts';
import type { PlannerSpec } from '../template/step-spec.ts';

interface Attempt {
  readonly step: string;
  readonly attempt: number;
  readonly delivery: number;
  /** The same for every delivery of one attempt; capabilities use it to do a thing once. */
  readonly key: string;
  readonly timeout: Duration;
  readonly input: Json;
}

export interface CallCapability extends Attempt {
  readonly type: 'call-capability';
  readonly capability: string;
  /** Why the attempt before this one failed its verification. */
  readonly feedback?: string;
  readonly concurrencyKey?: string;
}

export interface AskPlanner extends Attempt {
  readonly type: 'ask-planner';
  readonly planner: PlannerSpec;
  readonly brief: Brief;
}

/** Stop an attempt that is under way; what it still brings is not waited for. */
interface Abort {
  readonly type: 'abort';
  readonly step: string;
  readonly why: 'budget' | 'cancelled' | 'converged' | 'resolved' | 'retried';
}

export type Effect = CallCapability | AskPlanner | Abort;
