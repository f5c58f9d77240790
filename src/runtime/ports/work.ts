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

/** An attempt that is under way. */
export type Work = CallCapability | AskPlanner | AskModel | AskEmbeddings | FindFiles | DiscoverTools;

/** A planner wants something before it can answer. */
export interface CallRequest {
  readonly asks: Call;
}

/** The run that an attempt has started has come to rest, and has not ended. */
export interface SuspendedWork {
  readonly suspended: Pick<CommandOf<'suspend'>, 'run' | 'standing' | 'asks'>;
}

/** It was left where it is, with whoever drives the run: the attempt goes on when the run is taken up again. */
export interface AbandonedWork {
  readonly left: true;
}

export type WorkOutcome = EffectOutcome | CallRequest | SuspendedWork | AbandonedWork;

/** Performs an attempt, or one call of it; never rejects. */
export type Perform = (work: Work, signal: AbortSignal) => Promise<WorkOutcome>;

/** Why a signal is aborted whose attempt is not to end, but to be left where it is. */
export const LEFT = 'left';

/** A call of a template: it starts a child run. */
export type ChildCall = CallCapability & Required<Pick<CallCapability, 'child'>>;

/** The runs that steps of a run have started. */
export interface Children {
  /** Whether any is under way. */
  any(): boolean;
  /** Ends all that are under way, and says what each has used, by step. */
  end(order: CommandOf<'cancel'>): Promise<Readonly<Record<string, Amount>>>;
  /** Ends one that nobody waits for any more. */
  dismiss(run: string): void;
}

/** The child runs of a run, as its performer and its driver use them. */
export interface ChildRuns extends Children {
  perform(call: ChildCall, signal: AbortSignal): Promise<EffectOutcome | SuspendedWork | AbandonedWork>;
  /** The parent run stops: the first call lets running work end, the second call ends it at once. */
  stop(): void;
  /** The steps whose child run can go on. */
  stirring(): readonly string[];
  /** Resolves when this process drives no child run any more. */
  settled(): Promise<void>;
}

/** Receives the pieces of a model's answer as they arrive. */
export type OnDelta = (step: string, text: string) => void;
