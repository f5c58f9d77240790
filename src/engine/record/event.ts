// The events of a run: facts, appended to the journal, from which alone its state follows.

import type { Digest } from '../../base/digest.ts';
import type { Failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Duration, Instant } from '../../base/quantity.ts';
import type { Amount, Limited } from '../../budget/amount.ts';
import type { Exhaustible, Raise } from '../../budget/limits.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { Intents } from '../../goals/intent.ts';
import type { GraftedStep } from '../../planning/graft.ts';
import type { Expiry, Need } from '../../template/step-spec.ts';
import type { AskedInChild } from './asked-in-child.ts';
import type { CallKind, Purpose } from './call.ts';
import type { Convergence } from './convergence.ts';
import type { FinishedWork } from './finished-work.ts';
import type { GateKind } from './gate-kind.ts';
import type { Kept } from './kept.ts';
import type { Parent } from './parent.ts';

/** What a person says to a gate. `edit` brings another plan; `answer` a value that the gate's contract allows. */
export type Verdict = 'approve' | 'reject' | 'answer' | 'edit';

/** What an approval is given for beyond the call that it was asked about: that capability in this step, or in the run. */
export type Grant = 'step' | 'capability';

/** A call by what is called and the digest of what with. */
export interface CallFacts {
  readonly capability: string;
  readonly input: Digest;
  /** Agreeing covers this call alone. */
  readonly each?: true;
}

/** Why a step was skipped. */
export type SkipReason = 'when_false' | 'not_chosen' | 'tolerated' | 'upstream' | 'budget' | 'converged';

/** Who ordered something from outside, and why. */
export interface Order {
  readonly by: string;
  readonly why?: string;
}

/** A limit that was met. Counts are as in an amount, and as `Exhaustible` says. */
export interface Exhaustion {
  readonly account: string;
  readonly resource: Exhaustible;
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
      /** Finished work of another run that may be taken over. */
      readonly reuse?: readonly FinishedWork[];
      /** Results that steps of plans have already, by their names. */
      readonly given?: Readonly<Record<string, Kept>>;
      /** What earlier runs have taught, as planners are told it throughout this one. */
      readonly learned?: Kept;
      /** The W3C trace context that the run is part of. */
      readonly traceparent?: string;
      readonly parent?: Parent;
    }
  | ({
      /** All before it is what another run did. */
      readonly type: 'run.forked';
      readonly from: string;
      /** The last event that both have. */
      readonly at: number;
      /** In what it differs from then on, in words. */
      readonly changes: readonly string[];
    } & Order)
  | { readonly type: 'run.attached'; readonly by: string; readonly lead?: Duration }
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
      /** The run that it starts, where what it calls is a template. */
      readonly child?: string;
    }
  /** The run that it has started and waited for goes on. */
  | { readonly type: 'attempt.resumed'; readonly step: string; readonly attempt: number }
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
      /** An attempt asks something of the world before it goes on; after a crash, the same once more. */
      readonly type: 'call.started';
      readonly step: string;
      readonly attempt: number;
      /** Counts from 1 within what is asked for one result; a question to a person does not begin it anew. */
      readonly call: number;
      readonly kind: CallKind;
      /** The model profile or the capability; of a look-up `context`. */
      readonly name: string;
      /** What the model is asked for. */
      readonly purpose?: Purpose;
      /** The prompt that was rendered: its name, version and digest. */
      readonly prompt?: string;
      /** Of what was asked; its JSON is a blob. */
      readonly request: Digest;
      readonly reserved?: Amount;
      /** The idempotency key of a call that changes the world; absent: `run/step#attempt.call`. */
      readonly key?: string;
      /** The run that it starts, where what it calls is a template. */
      readonly child?: string;
    }
  | {
      readonly type: 'call.ended';
      readonly step: string;
      readonly attempt: number;
      readonly call: number;
      /** What came back; absent when it failed. */
      readonly value?: Kept;
      readonly failure?: Failure;
      readonly bill?: Amount;
    }
  | {
      readonly type: 'verification.failed';
      readonly step: string;
      readonly attempt: number;
      readonly diagnosis: string;
      /** The result that did not pass. */
      readonly value: Kept;
    }
  | {
      readonly type: 'step.completed';
      readonly step: string;
      readonly value: Kept;
      readonly bill?: Amount;
      /** Paths in the result whose type was mended without loss. */
      readonly coerced?: readonly string[];
      readonly verified?: true;
      /** It is the result of a run that went on without all that it expected, or of a fan-out with items that failed. */
      readonly partial?: true;
      /** What a synthesis was given and what it left of it, in tokens. */
      readonly tokens?: { readonly in: number; readonly out: number };
    }
  | {
      readonly type: 'step.adopted';
      readonly step: string;
      /** The step whose finished work it takes over. */
      readonly from: string;
      /** The run of that step; absent: this one. */
      readonly run?: string;
      /** Of the input that both were given. */
      readonly input: Digest;
      readonly value: Kept;
    }
  | ({ readonly type: 'step.resolved'; readonly step: string; readonly value: Kept; readonly bill?: Amount } & Order)
  | ({ readonly type: 'step.retried'; readonly step: string; readonly bill?: Amount } & Order)
  | {
      readonly type: 'step.failed';
      readonly step: string;
      readonly failure: Failure;
      readonly bill?: Amount;
      /** The limit that it failed for. */
      readonly stop?: Exhaustion;
      /** The repair that has taken the failure up: it is not counted where the phase converges. */
      readonly repair?: string;
    }
  | {
      readonly type: 'step.skipped';
      readonly step: string;
      readonly reason: SkipReason;
      /** The step whose end is the root cause. */
      readonly root?: string;
      readonly failure?: Failure;
      readonly bill?: Amount;
      /** What there was of the result of a fan-out that was cut short. */
      readonly value?: Kept;
    }
  | {
      readonly type: 'steps.cancelled';
      readonly steps: readonly string[];
      /** What runs that they had started have used; what else was under way is charged in full. */
      readonly spent?: Readonly<Record<string, Amount>>;
    }
  | {
      readonly type: 'steps.superseded';
      readonly steps: readonly string[];
      /** The repair that plans anew what they would have done. */
      readonly by: string;
    }
  | {
      readonly type: 'fan_out.expanded';
      readonly step: string;
      /** What each step `map/0`, `map/1`, … is given: an item, or a list of them. */
      readonly items: readonly Kept[];
    }
  | {
      readonly type: 'gate.opened';
      /** `g1`, `g2`, … in the run. */
      readonly gate: string;
      /** The step that is held for it. */
      readonly step: string;
      readonly kind: GateKind;
      readonly prompt: string;
      /** JSON Schema of an answer. */
      readonly decision: JsonObject;
      /** What a person should see before deciding; of an approval `{capability, input}`, with which it is then called. */
      readonly context?: Kept;
      /** What is approved of, for a gate of kind `approval`. */
      readonly call?: CallFacts;
      /** The key of the step's input that an answer which is no object stands under. */
      readonly as?: string;
      /** For a gate of kind `child`: the run that is waited for, and what people are asked there; nothing: it is paused. */
      readonly child?: { readonly run: string; readonly asks: readonly AskedInChild[] };
      readonly expiresAt?: Instant;
      readonly onExpiry?: Expiry;
      readonly bill?: Amount;
      /** The limit that was met, for a gate of kind `exhaustion`. */
      readonly exhaustion?: Exhaustion;
      /** What an approval accepts, for a gate of kind `lock`: keys of differences. */
      readonly accepts?: readonly Digest[];
    }
  | ({
      readonly type: 'gate.decided';
      readonly gate: string;
      readonly verdict: Verdict;
      /** The answer, or the edited plan. */
      readonly value?: Kept;
      /** Absent: for this call alone. */
      readonly grant?: Grant;
    } & Order)
  | {
      /** A tool or a model is not as the lock file has it, and the run goes on, as the template says. */
      readonly type: 'lock.differed';
      /** The step that called it. */
      readonly step: string;
      /** Names it: `1 tool is not as reconverge.lock has it: …` */
      readonly message: string;
      readonly differences: Kept;
      /** It is not told again of these. */
      readonly keys: readonly Digest[];
    }
  | { readonly type: 'gate.expired'; readonly gate: string; readonly outcome: Expiry }
  /** A gate that is open already holds this step too. */
  | { readonly type: 'step.held'; readonly step: string; readonly gate: string; readonly bill?: Amount }
  /** Held steps may start again. */
  | { readonly type: 'steps.released'; readonly steps: readonly string[] }
  | {
      readonly type: 'replan.started';
      /** The new planning step: `plan_recon~2`. */
      readonly step: string;
      /** The planning step whose phase is planned again; absent: the template's own repair planner does it. */
      readonly planner?: string;
      readonly target: string;
      readonly scope: 'tail' | 'phase';
      /** The steps whose failure it is to mend; empty when the phase as a whole did not do. */
      readonly failing: readonly string[];
      /** Steps of the phase that have begun: it waits for their end, whatever that is. */
      readonly after: readonly string[];
      /** How many repairs led to this one, itself included. */
      readonly trial: number;
      readonly readyAt: Instant;
    }
  | {
      readonly type: 'plan.requested';
      readonly step: string;
      readonly attempt: number;
      readonly brief: Digest;
      /** What became of each result on its way into the packet; its JSON is a blob. */
      readonly receipt?: Digest;
      readonly tokens: number;
    }
  | {
      readonly type: 'plan.proposed';
      readonly step: string;
      readonly attempt: number;
      readonly reply: Kept;
      /** Tools of servers that were found for it. */
      readonly found?: readonly Declaration[];
      /** Where a critic is asked about it before anything comes of it. */
      readonly bill?: Amount;
    }
  | {
      /** A planner has to see more before it plans: it is asked once more, with that. */
      readonly type: 'needs.asked';
      readonly step: string;
      readonly attempt: number;
      readonly needs: readonly Need[];
      readonly bill?: Amount;
    }
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
      /** What the goal came apart into, and how who does each part was found; names of steps are those of the fragment. */
      readonly intents?: Intents;
      readonly target: string;
      readonly steps: readonly GraftedStep[];
      readonly terminals: readonly string[];
      /** Steps and nested phases of the whole fragment. */
      readonly amount: Amount;
      readonly warnings?: readonly Issue[];
      /** What the critic thinks of the plan, from 1 to 10. */
      readonly score?: number;
      /** What had to be understood of how the plan was written. */
      readonly understood?: readonly string[];
      /** The engine itself grafted the empty fragment, because the budget was spent. */
      readonly forced?: true;
    }
  | {
      /** What the plan of this step brings along: the run has it from now on, and no other run does. */
      readonly type: 'capability.registered';
      readonly step: string;
      readonly capability: Declaration;
    }
  | {
      readonly type: 'convergence.judged';
      readonly step: string;
      readonly satisfied: boolean;
      readonly convergence: Convergence;
      /** The limit that forced it. */
      readonly stop?: Exhaustion;
    }
  | {
      readonly type: 'budget.warned';
      readonly account: string;
      readonly resource: Limited | 'time';
      readonly percent: number;
    }
  | ({ readonly type: 'budget.exhausted' } & Exhaustion)
  | ({ readonly type: 'budget.raised'; readonly account: string } & Raise & Order);

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
