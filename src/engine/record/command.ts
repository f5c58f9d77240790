// Commands: orders to a run, from people and from the performers that bring outcomes.

import type { Json } from '../../base/json.ts';
import type { Duration, Instant } from '../../base/quantity.ts';
import type { Amount } from '../../budget/amount.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { Experience } from '../../goals/experience.ts';
import type { ModelServer } from '../../model/model-server.ts';
import type { LockDifference } from '../../template/lock/difference.ts';
import type { Template } from '../../template/template.ts';
import type { Call, CallOutcome } from './call.ts';
import type { AskedInChild } from './gate-events.schema.ts';
import type { RunOrder } from './order.schema.ts';
import type { FinishedWork, Parent } from './run-events.schema.ts';

/** Tools or models that differ from the lock file. */
export interface LockFindings {
  /** `ask`: a person decides before the call is made or its answer is used. `warn`: the difference is only reported. */
  readonly mode: 'ask' | 'warn';
  readonly differences: readonly LockDifference[];
}

/** The outcome of an effect: of an attempt, or of one of its calls. */
export type EffectOutcome = CallOutcome & {
  readonly bill?: Amount;
  /** Tools that a planner found on servers for its plan and that are not granted yet. */
  readonly found?: readonly Declaration[];
  /** The value comes from a child run that ended without all it expected. */
  readonly partial?: true;
  readonly lock?: LockFindings;
  /** The server that a model was asked at. */
  readonly server?: ModelServer;
};

export interface CommandTerms {
  readonly at: Instant;
  /** The driver stops: no call begins, and the work goes on with the next driver. */
  readonly isStopping?: boolean;
}

export type Command = CommandTerms &
  (
    | {
        readonly type: 'start-run';
        readonly run: string;
        readonly template: Template;
        readonly input: Json;
        readonly folder: string;
        readonly by: string;
        /** Finished work of another run that steps may adopt by content. */
        readonly reuse?: readonly FinishedWork[];
        /** Results that steps of plans have already, by the names of the steps. */
        readonly given?: Readonly<Record<string, Json>>;
        /** The experience of earlier runs. */
        readonly learned?: Experience | undefined;
        /** The W3C trace context that the run is part of. */
        readonly traceparent?: string;
        readonly tracestate?: string;
        readonly parent?: Parent;
      }
    /** A driver takes the run over: attempts under way are handed out again. */
    | { readonly type: 'attach'; readonly by: string; readonly lead?: Duration; readonly traceparent?: string }
    | { readonly type: 'start-step'; readonly step: string }
    | {
        readonly type: 'settle';
        readonly step: string;
        readonly attempt: number;
        readonly delivery: number;
        /** The number of the call that has come back; absent: the attempt itself has. */
        readonly call?: number;
        /** The attempt's input, as its effect carried it. */
        readonly input: Json;
        readonly outcome: EffectOutcome;
        /** From 0 to 1, for the jitter of a retry's delay. */
        readonly chance: number;
      }
    /** The performer never began an attempt, or one of its calls, because the driver stops. It is made later. */
    | {
        readonly type: 'take-back';
        readonly step: string;
        readonly attempt: number;
        readonly delivery: number;
        /** Absent: the attempt itself. */
        readonly call?: number;
      }
    /** The child run of the attempt waits for people, or is paused. */
    | {
        readonly type: 'suspend';
        readonly step: string;
        readonly attempt: number;
        readonly delivery: number;
        readonly run: string;
        readonly standing: 'waiting' | 'paused';
        readonly asks: readonly AskedInChild[];
      }
    /** The child run that a step waits for can go on, or has ended. */
    | { readonly type: 'wake'; readonly step: string }
    /** A planner makes a call before it can go on. */
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
