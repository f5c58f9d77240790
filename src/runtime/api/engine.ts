// The engine as a caller meets it: load templates, start runs, take them up again, command them from anywhere.

import type { Digest } from '../../base/digest.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Result } from '../../base/result.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { RunOrder } from '../../engine/record/order.schema.ts';
import type { RunView, StepView } from '../../engine/state/run-view.ts';
import type { Lesson } from '../../goals/experience.ts';
import type { LivingGraph } from '../../graph/living-graph.ts';
import type { Template } from '../../template/template.ts';
import type { OpenGate } from '../../view/open-gates.ts';
import type { OnDelta } from '../ports/work.ts';
import type { Definition, TypedTemplate } from './define-template.ts';
import type { PlanOutcome } from './plan-outcome.ts';
import type { Pursuit } from './pursuit.ts';
import type { RunRecord, RunSummary } from './run-record.ts';
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

/** The id of a run. That of a typed template says what the run answers; any text is one of which nothing is known. */
export type RunId<Output extends Json = Json> = string & { readonly [output]?: Output };

export interface RunHandle<Output extends Json = Json> {
  readonly id: RunId<Output>;
  /** Settles when the run has come to rest; rejects only for a Fault. */
  readonly done: Promise<RunReport<Output>>;
  /**
   * The events of the run while it is driven here, once they are durable: `for await (const { event } of handle.events)`.
   * Each loop begins with the first of these and ends when the run has come to rest; a slow one holds up nothing.
   */
  readonly events: AsyncIterable<Recorded>;
  /**
   * Orders something of the run; resolves once what came of it is durable. Issues: why it was refused, or RUN_AT_REST:
   * it has come to rest here, and `Engine.order` takes it up again.
   */
  order(order: RunOrder): Promise<Result<void>>;
  /** Admits nothing new, lets what runs end within the grace (5 s), then leaves the run for `resume`. Twice: at once. */
  stop(): void;
}

/** How a run is driven in this process. */
export interface DriveOptions {
  readonly onEvents?: Listener;
  /** Pieces of models' answers as they come. */
  readonly onDelta?: OnDelta;
  readonly by?: string;
  /** A file that keeps every exchange with models and capabilities; one that is there is added to. */
  readonly record?: string;
  /** A file whose exchanges answer in the place of models and capabilities: nothing else is asked. */
  readonly replay?: string;
  /** Goes on waiting when only people can move the run, until they have or their time is over. */
  readonly wait?: boolean;
  /** The W3C trace context of a new run, `00-{trace}-{span}-01`. */
  readonly traceparent?: string;
}

/** The reply to an order that was not refused. */
export interface OrderReply<Output extends Json = Json> {
  /** The run as it goes on in this process; absent when another one drives it. */
  readonly handle?: RunHandle<Output>;
  /** Whoever drives it has not answered yet: the order waits in the run's inbox. */
  readonly pending?: true;
}

export interface LoadOptions {
  /** One of the template's `environments`, laid over it. */
  readonly environment?: string | undefined;
  /** Beside those of the engine; runs of this template find them again as long as this engine is there. */
  readonly capabilities?: readonly Capability[];
}

export interface StartOptions<Input extends Json = Json> extends DriveOptions {
  readonly input?: Input;
  /** Budget keys as on the command line, `max_total_steps` → `50`: they tighten; with `raise` they may loosen. */
  readonly budget?: Readonly<Record<string, string>>;
  readonly raise?: boolean;
  /** A run whose finished work is taken over where steps would do the same again. */
  readonly reuse?: string;
  /** Results that steps of plans have already, by the names of the steps: they are shown as given, and not run. */
  readonly given?: Readonly<Record<string, Json>>;
}

/** Where a run is forked: after an event, or where a step was about to begin. */
export type ForkPoint = { readonly event: number } | { readonly step: string };

export interface Differences {
  /** Followed from here on in the place of the run's own. */
  readonly template?: Template | undefined;
  /** Budget keys as on the command line; they tighten, and with `raise` they may loosen. */
  readonly budget?: Readonly<Record<string, string>>;
  readonly raise?: boolean;
  /** Model identifiers by profile. */
  readonly models?: Readonly<Record<string, string>>;
  /** Taken as the planner's answer at the step where the run is forked. */
  readonly reply?: Json;
}

export interface ForkOptions extends DriveOptions, Differences {
  /** Why, kept with the run. */
  readonly why?: string;
}

export interface PursueOptions
  extends Omit<StartOptions, 'input' | 'budget' | 'raise'>,
    Pick<LoadOptions, 'capabilities'>,
    Pursuit {}

/** How a mission or a plan is run to its rest. */
export interface MissionOptions extends Omit<PursueOptions, 'given' | 'capabilities' | 'onEvents'>, Tools {
  /** Tags of the run, which find skills and past experience. */
  readonly contextTags?: readonly string[];
  /** Told to every planner. */
  readonly constraints?: string | readonly string[];
  /**
   * Decisions of people, by the names of the steps that ask them: an answer as the gate takes it, or for approvals
   * `{ approved, notes }` or a boolean. The run waits for a person at every other question.
   */
  readonly reviews?: Readonly<Record<string, Json>>;
  /** Results that steps have already, by their names: they are not run. */
  readonly initialResults?: Readonly<Record<string, Json>>;
  readonly onEvent?: (event: Recorded) => void;
}

/** The graph of a run. The attributes of a node are its step: `id`, `status`, `spec.type`, `provenance.planner`, … */
export type StepGraph = LivingGraph<StepView>;

export interface Engine {
  /** Reads, resolves and checks a template, its modules loaded: a file, or the document itself. */
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
   * Pursues a goal with tools that are given as functions, to the end or until only people can move the run:
   * `pursue`, `reviews`, and what came of it. Issues: those of `pursue` and CAPABILITY_UNKNOWN.
   */
  run(mission: string, options?: MissionOptions): Promise<Result<PlanOutcome>>;
  /** As `run`, with a plan that is there already; the mission is what it is mended towards. */
  execute(plan: Json, mission: string, options?: MissionOptions): Promise<Result<PlanOutcome>>;
  /**
   * Pursues a goal without a template: its words become tasks, or a model plans where they do not suffice. Issues beside
   * those of `load` and `start`: MODEL_NOT_CONFIGURED, before anything has begun.
   */
  pursue(goal: string, options?: PursueOptions): Promise<Result<RunHandle>>;
  /** Takes up a run that no live process drives. Issues: RUN_UNKNOWN, RUN_ENDED, RUN_DRIVEN, CAPABILITY_GONE. */
  resume<Output extends Json = Json>(run: RunId<Output>, options?: DriveOptions): Promise<Result<RunHandle<Output>>>;
  /**
   * Has an order followed by whoever drives the run; when nobody does, the run goes on here, which for `cancel` needs
   * none of its capabilities. A run that a step of another has started goes on with that one, whose handle is answered.
   * Runs that are cancelled or paused have come to rest when this resolves. An order that is
   * refused leaves nothing behind.
   */
  order<Output extends Json = Json>(
    run: RunId<Output>,
    order: RunOrder,
    options?: Omit<DriveOptions, 'by'>,
  ): Promise<Result<OrderReply<Output>>>;
  /**
   * Starts another run with what a run did up to a point, and drives it on from there: as it was, or with differences.
   * The other run stays as it is. Issues: RUN_UNKNOWN, FORK_POINT_UNKNOWN, FORK_MISMATCH, FORK_BUDGET_SPENT and more.
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
  runs(): readonly RunSummary[];
  /** The questions to people that are open in a run and in those that its steps have started; `order` with `review` answers one. */
  gates(run: string): Result<readonly OpenGate[]>;
  /**
   * The living graph of a run, for the libraries of graphology that read: the attributes of a node are its step, and
   * `graph.keyOf(id)` is its key. Writing methods do not compile, and throw; `graph.copy()` can be written.
   */
  graph(run: string): Result<StepGraph>;
  /** The lessons of ended runs, newest first. */
  lessons(): readonly Lesson[];
  /** A run as its journal tells it. `run` may be a unique beginning of its id, or `latest`. */
  read(run: string): Result<RunRecord>;
  close(): Promise<void>;
}
