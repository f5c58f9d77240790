// Commands: orders to a run, from people and from the performers that bring outcomes.

import type { Failure } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import type { Duration, Instant } from '../../base/quantity.ts';
import type { Amount } from '../../budget/amount.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { Experience } from '../../goals/learned.ts';
import type { LockDifference } from '../../template/lock/difference.ts';
import type { Template } from '../../template/template.ts';
import type { Call } from './call.ts';
import type { AskedInChild } from './gate-events.schema.ts';
import type { RunOrder } from './order.schema.ts';
import type { FinishedWork, Parent } from './run-events.schema.ts';

/** Tools or models that were found not to be as the lock file has them. */
export interface LockFindings {
  /** `ask`: the call has not been made, or its answer is not used, and a person decides. `warn`: it is only said. */
  readonly mode: 'ask' | 'warn';
  readonly differences: readonly LockDifference[];
}

export type Outcome =
  | {
      readonly ok: true;
      readonly value: Json;
      readonly bill?: Amount;
      /** What a planner has found on servers for its plan, and nobody has granted yet. */
      readonly found?: readonly Declaration[];
      /** It comes of a run that went on without all that it expected. */
      readonly partial?: true;
      readonly lock?: LockFindings;
    }
  | { readonly ok: false; readonly failure: Failure; readonly bill?: Amount; readonly lock?: LockFindings };

export type Command = { readonly at: Instant } & (
  | {
      readonly type: 'start-run';
      readonly run: string;
      readonly template: Template;
      readonly input: Json;
      readonly folder: string;
      readonly by: string;
      /** Finished work of another run that steps may take over by content. */
      readonly reuse?: readonly FinishedWork[];
      /** Results that steps of plans have already, by their names. */
      readonly given?: Readonly<Record<string, Json>>;
      /** What earlier runs have taught. */
      readonly learned?: Experience | undefined;
      /** The W3C trace context that the run is part of. */
      readonly traceparent?: string;
      readonly parent?: Parent;
    }
  /** A driver takes the run over: what was under way is handed out again. */
  | { readonly type: 'attach'; readonly by: string; readonly lead?: Duration }
  | { readonly type: 'start-step'; readonly step: string }
  | {
      readonly type: 'settle';
      readonly step: string;
      readonly attempt: number;
      readonly delivery: number;
      /** Which of the attempt's calls has come back; absent: the attempt itself. */
      readonly call?: number;
      /** What the attempt was given, as its effect carried it. */
      readonly input: Json;
      readonly outcome: Outcome;
      /** From 0 to 1, for the jitter of a retry's delay. */
      readonly chance: number;
    }
  /** The run that the attempt has started waits for people, or is paused. */
  | {
      readonly type: 'suspend';
      readonly step: string;
      readonly attempt: number;
      readonly delivery: number;
      readonly run: string;
      readonly standing: 'waiting' | 'paused';
      readonly asks: readonly AskedInChild[];
    }
  /** The run that a step waits for can go on, or has ended. */
  | { readonly type: 'wake'; readonly step: string }
  /** A planner asks something of the world before it can go on. */
  | {
      readonly type: 'call';
      readonly step: string;
      readonly attempt: number;
      readonly delivery: number;
      readonly call: Call;
    }
  /** The wall clock has reached the deadline, or a gate its expiry. */
  | { readonly type: 'expire' }
  /** No step is live any more. */
  | { readonly type: 'finish' }
  | Exclude<RunOrder, { readonly type: 'cancel' }>
  /** `spent`: the amounts that child runs have used, by step; the child runs have ended. */
  | (Extract<RunOrder, { readonly type: 'cancel' }> & { readonly spent?: Readonly<Record<string, Amount>> })
);

export type CommandOf<T extends Command['type']> = Extract<Command, { readonly type: T }>;
