// The work that a driver hands out, and its outcomes.
import type { Amount } from '../../budget/amount.ts';
import type { Call } from '../../engine/record/call.ts';
import type { CommandOf, EffectOutcome } from '../../engine/record/command.ts';
import type {
  AskEmbeddings,
  AskModel,
  AskPlanner,
  CallCapability,
  DiscoverTools,
  FindFiles,
} from '../../engine/record/effect.ts';
import type { WorkTrace } from './work-trace.ts';

/** An effect that a driver hands out: an attempt of a step, or one of its calls. */
export type Work = CallCapability | AskPlanner | AskModel | AskEmbeddings | FindFiles | DiscoverTools;

/** A planner needs the outcome of a call before it can answer. */
export interface CallRequest {
  readonly asks: Call;
}

/** The child run of an attempt waits for people, or is paused. */
export interface SuspendedWork {
  readonly suspended: Pick<CommandOf<'suspend'>, 'run' | 'standing' | 'asks'>;
}

/** The work was left unfinished: the attempt goes on when the run is resumed. */
export interface AbandonedWork {
  readonly left: true;
}

/** The work never began, because the driver stops. */
export interface UnbegunWork {
  readonly unbegun: true;
}

export type WorkOutcome = EffectOutcome | CallRequest | SuspendedWork | AbandonedWork | UnbegunWork;

/** Performs an effect; never rejects. `trace` is the span of the effect; absent: no trace context goes out. */
export type Perform = (work: Work, signal: AbortSignal, trace?: WorkTrace) => Promise<WorkOutcome>;

/** The abort reason for an attempt that goes on when the run is resumed. */
export const LEFT = 'left';

/** A call of a template, which starts a child run. */
export type ChildCall = CallCapability &
  Required<Pick<CallCapability, 'child'>> & {
    /** The W3C trace context of the call. */
    readonly traceparent?: string;
    readonly tracestate?: string;
  };

/** The child runs of a run. */
export interface Children {
  /** True while a child run has not ended. */
  any(): boolean;
  /** Cancels all child runs that have not ended, and returns what each has used, by step. */
  end(order: CommandOf<'cancel'>): Promise<Readonly<Record<string, Amount>>>;
  /** Cancels a child run whose result is not needed any more. */
  dismiss(run: string): void;
}

/** The child runs of a run, as its performer and its driver use them. */
export interface ChildRuns extends Children {
  perform(call: ChildCall, signal: AbortSignal): Promise<EffectOutcome | SuspendedWork | AbandonedWork>;
  /** The parent run stops: the first call lets running work end, the second call ends it at once. */
  stop(): void;
  /** The steps whose child run can go on. */
  stirring(): readonly string[];
  /** Resolves when this process drives none of the child runs any more. */
  settled(): Promise<void>;
}
