// The interface of an engine: load templates, start and resume runs, give them orders, and read their records.

import type { Digest } from '../../base/digest.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import type { Result } from '../../base/result.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { KeptLogLine } from '../../engine/record/log-line.ts';
import type { RunOrder } from '../../engine/record/order.schema.ts';
import type { RunView, StepView } from '../../engine/state/run-view.ts';
import type { Lesson } from '../../goals/experience.ts';
import type { LivingGraph } from '../../graph/living-graph.ts';
import type { Template } from '../../template/template.ts';
import type { OpenGate } from '../../view/open-gates.ts';
import type { RunSummary } from '../../view/runs/run-summary.ts';
import type { LogQuery } from '../logs/read-logs.ts';
import type { OnLogs } from '../logs/run-log.ts';
import type { OnDelta } from '../ports/live-answer.ts';
import type { Definition, TypedTemplate } from './define-template.ts';
import type { MissionLimits } from './mission-limits.ts';
import type { PlanOutcome } from './plan-outcome.ts';
import type { PrunedRuns, PruneOptions } from './pruning.ts';
import type { Pursuit } from './pursuit.ts';
import type { RunRecord } from './run-record.ts';
import type { RunReport } from './run-report.ts';
import type { Tools } from './tools.ts';

/**
 * Called after each commit with its events, in order. The first error of a listener, thrown or rejected, becomes a
 * `ListenerWarning` of the process, and the run goes on. `blob` returns a large value of the run by its digest.
 */
export type Listener = (
  events: readonly Recorded[],
  state: RunView,
  blob: (digest: Digest) => string | undefined,
) => void;

declare const output: unique symbol;

/** The id of a run. The id of a run with a typed template carries the type of the output; any other text is an untyped id. */
export type RunId<Output extends Json = Json> = string & { readonly [output]?: Output };

export interface RunHandle<Output extends Json = Json> {
  readonly id: RunId<Output>;
  /** Resolves when the run has come to rest. Rejects with `StoreRefused` when the store fails, and with a Fault for a bug. */
  readonly done: Promise<RunReport<Output>>;
  /**
   * The durable events of the run while it is driven here: `for await (const { event } of handle.events)`. Each loop begins
   * with the first of these events and ends when the run has come to rest. A slow loop does not slow the run.
   */
  readonly events: AsyncIterable<Recorded>;
  /**
   * Gives an order to the run; resolves once its effect is durable. Issues: the reason for a refusal, or RUN_AT_REST when
   * the run has come to rest; `Engine.order` resumes it.
   */
  order(order: RunOrder): Promise<Result<void>>;
  /**
   * Begins no further step and no further call, lets running calls end within 5 seconds, then leaves the run for `resume`. A
   * second call stops at once.
   */
  stop(): void;
}

/** Options for driving a run in this process. */
export interface DriveOptions {
  readonly onEvents?: Listener;
  /** Receives the pieces of models' answers as they arrive; they are never kept in the journal. With it, models stream. */
  readonly onDelta?: OnDelta;
  /** Receives the log lines of the run and of its child runs as they are written, in batches. */
  readonly onLogs?: OnLogs;
  /** The name of the person or program, for the record. */
  readonly by?: string;
  /** A file that records every exchange with models and capabilities; exchanges are appended to an existing file. */
  readonly record?: string;
  /** A recorded file that answers instead of models and capabilities. */
  readonly replay?: string;
  /**
   * The full id of a planning step. The run stops, as with `RunHandle.stop`, as soon as this step asks its planner: no model
   * is asked, and no planned step begins. The packet is then in the journal.
   */
  readonly stopAtPlanner?: string;
  /** Waits for people when only they can move the run, until they have answered or their time is over. */
  readonly wait?: boolean;
  /** Like `onEvents`, for the child runs of this run, at any depth. */
  readonly onChildEvents?: Listener;
  /**
   * The W3C trace context of a new run, `00-{trace}-{span}-01`, or of the program that resumes one. By default the active span
   * of the program, if it has registered OpenTelemetry.
   */
  readonly traceparent?: string;
  /** The vendor data of that trace context. */
  readonly tracestate?: string;
}

/** The reply to an order that was not refused. */
export interface OrderReply<Output extends Json = Json> {
  /** The run, when it goes on in this process; absent when another process drives it. */
  readonly handle?: RunHandle<Output>;
  /** The driver has not answered yet; the order waits in the run's inbox. */
  readonly pending?: true;
}

export interface ListRunsOptions {
  /**
   * The time for reading runs that an earlier version wrote, in milliseconds; by default 100. `Infinity` reads them all.
   * Figures that were found are kept in the store.
   */
  readonly patience?: Duration;
  /** Called after each run that was read, with the number of runs that have to be read. */
  readonly onCompleted?: (done: number, all: number) => void;
}

export interface LoadOptions {
  /** The entry of the template's `environments` to apply. */
  readonly environment?: string | undefined;
  /** Capabilities besides those of the engine. Runs of this template can use them as long as this engine exists. */
  readonly capabilities?: readonly Capability[];
}

/** The settings of a template that one start may change. */
export interface StartChoices {
  /** Budget keys as on the command line, such as `{ max_total_steps: '50' }`. They lower limits; with `raise` they may also raise them. */
  readonly budget?: Readonly<Record<string, string>>;
  readonly raise?: boolean;
  /** Model names by profile. */
  readonly models?: Readonly<Record<string, string>>;
  /** Planning steps that a model plans instead of their own planner: the name of its profile, by step. */
  readonly planners?: Readonly<Record<string, string>>;
}

export interface StartOptions<Input extends Json = Json> extends DriveOptions, StartChoices {
  readonly input?: Input;
  /** The id of a run whose finished work is reused for steps with the same work. */
  readonly reuse?: string;
  /** Results of planned steps, by the names of the steps. These steps do not run. */
  readonly given?: Readonly<Record<string, Json>>;
}

/** The point at which a run is forked: after an event, or before a step began. */
export type ForkPoint = { readonly event: number } | { readonly step: string };

/** The changes of a fork. */
export interface ForkChanges {
  /** Replaces the template of the run. */
  readonly template?: Template | undefined;
  /** Budget keys as on the command line. They lower limits; with `raise` they may also raise them. */
  readonly budget?: Readonly<Record<string, string>>;
  readonly raise?: boolean;
  /** Model names by profile. */
  readonly models?: Readonly<Record<string, string>>;
  /** The planner's answer at the step where the run is forked. */
  readonly reply?: Json;
}

export interface ForkOptions extends DriveOptions, ForkChanges {
  /** The reason, kept with the run. */
  readonly why?: string;
}

export interface PursueOptions
  extends Omit<StartOptions, 'input' | keyof StartChoices>,
    Pick<LoadOptions, 'capabilities'>,
    Pursuit {}

/** Options for running a plan without a template. */
export interface PlanOptions extends StartOptions, Pick<LoadOptions, 'capabilities'> {
  /** The goal of the plan. */
  readonly mission?: string;
  /** Top-level keys of a template, which replace those of the frame: `capabilities`, `roots`, `models`, `fail_fast`, … */
  readonly frame?: JsonObject;
  /** More keys of the planning step, such as `plan_review`. */
  readonly planning?: JsonObject;
}

/** Options for running a mission or a plan until it comes to rest. `budget` has all other limits. */
export interface MissionOptions
  extends Omit<PursueOptions, 'given' | 'capabilities' | 'onEvents'>,
    Tools,
    MissionLimits {
  /** Tags of the run, by which skills and experience are found. */
  readonly contextTags?: readonly string[];
  /** Constraints for every planner. */
  readonly constraints?: string | readonly string[];
  /**
   * Decisions of people, by the names of the steps that ask: an answer that the gate takes, or for approvals
   * `{ approved, notes }` or a boolean. At every other question the run waits for a person.
   */
  readonly reviews?: Readonly<Record<string, Json>>;
  /** Results of steps, by their names. These steps do not run. */
  readonly initialResults?: Readonly<Record<string, Json>>;
  readonly onEvent?: (event: Recorded) => void;
}

/** The graph of a run. The attributes of a node are its step: `id`, `status`, `spec.type`, `provenance.planner`, … */
export type StepGraph = LivingGraph<StepView>;

/** Every method that returns a `Result` has an issue STORE_… when the store is locked, full, damaged or read-only. */
export interface Engine {
  /** Reads, resolves and checks a template with its modules. Takes a file or a document. */
  load<Input extends Json, Output extends Json>(
    template: Definition<Input, Output>,
    options?: LoadOptions,
  ): Promise<Result<Template & TypedTemplate<Input, Output>>>;
  load(template: string | JsonObject, options?: LoadOptions): Promise<Result<Template>>;
  /** Starts a run and drives it in this process. A template from `defineTemplate` types the input and the output. */
  start<Input extends Json = Json, Output extends Json = Json>(
    template: Template & TypedTemplate<Input, Output>,
    options?: StartOptions<Input>,
  ): Promise<Result<RunHandle<Output>>>;
  /**
   * Pursues a goal with functions as tools, until the run has ended or only people can move it. Answers questions from
   * `reviews` and returns the outcome. Issues: those of `pursue` and CAPABILITY_UNKNOWN.
   */
  run(mission: string, options?: MissionOptions): Promise<Result<PlanOutcome>>;
  /** Like `run`, with an existing plan; repairs of the plan pursue the mission. */
  execute(plan: Json | object, mission: string, options?: MissionOptions): Promise<Result<PlanOutcome>>;
  /**
   * Pursues a goal without a template: rules turn its words into tasks, and a model plans what the words leave open. Issues
   * besides those of `load` and `start`: MODEL_NOT_CONFIGURED, before the run begins.
   */
  pursue(goal: string, options?: PursueOptions): Promise<Result<RunHandle>>;
  /** Resumes a run that no live process drives. Issues: RUN_UNKNOWN, RUN_ENDED, RUN_DRIVEN, CAPABILITY_GONE. */
  resume<Output extends Json = Json>(run: RunId<Output>, options?: DriveOptions): Promise<Result<RunHandle<Output>>>;
  /**
   * Gives an order to the process that drives the run. When no process does, the run goes on here; `cancel` then needs none
   * of the run's capabilities. A child run goes on with its parent run, whose handle is returned. After `cancel` and `pause`
   * the run is at rest when this resolves. A refused order leaves no trace.
   */
  order<Output extends Json = Json>(
    run: RunId<Output>,
    order: RunOrder,
    options?: Omit<DriveOptions, 'by'>,
  ): Promise<Result<OrderReply<Output>>>;
  /**
   * Starts a new run with the history of a run up to a point, and continues it from there, unchanged or with changes. The
   * original run stays as it is. Issues: RUN_UNKNOWN, FORK_POINT_UNKNOWN, FORK_MISMATCH, FORK_BUDGET_SPENT and more.
   */
  fork<Input extends Json, Output extends Json>(
    run: string,
    at: ForkPoint,
    options: ForkOptions & { readonly template: Template & TypedTemplate<Input, Output> },
  ): Promise<Result<RunHandle<Output>>>;
  fork<Output extends Json = Json>(
    run: RunId<Output>,
    at: ForkPoint,
    options?: ForkOptions & { readonly template?: undefined },
  ): Promise<Result<RunHandle<Output>>>;
  fork(run: string, at: ForkPoint, options?: ForkOptions): Promise<Result<RunHandle>>;
  /**
   * All runs, newest first, from summaries that the store keeps: no events are read. Runs that an earlier version wrote
   * lack figures until their events have been read once, which each call does for a short time. @throws StoreRefused
   */
  runs(options?: ListRunsOptions): readonly RunSummary[];
  /** Removes families of runs that ended before a time, and the values that no other run has. @throws StoreRefused */
  prune(options: PruneOptions): PrunedRuns;
  /** The open questions to people in a run and in its child runs. `order` with `review` answers one. */
  gates(run: string): Result<readonly OpenGate[]>;
  /**
   * The living graph of a run, for the libraries of graphology that read: the attributes of a node are its step, and
   * `graph.keyOf(id)` is its key. Writing methods do not compile, and throw; `graph.copy()` can be written.
   */
  graph(run: string): Result<StepGraph>;
  /** The lessons of ended runs, newest first. @throws StoreRefused */
  lessons(): readonly Lesson[];
  /**
   * The log lines that the steps of a run have written here, in their order. A child run has lines of its own, and the work
   * that a fork copied has its lines in the original run. Issues: RUN_UNKNOWN, RUN_AMBIGUOUS.
   */
  logs(run: string, query?: LogQuery): Result<readonly KeptLogLine[]>;
  /** Reads a run from its journal. `run` may be a unique beginning of its id, or `latest`. */
  read(run: string): Result<RunRecord>;
  close(): Promise<void>;
}
