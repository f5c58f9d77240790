// How a run came to rest: what callers and the command line are told.
import type { Failure } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import type { ShownAmount } from '../../budget/display-figures.ts';
import type { Exhaustion } from '../../engine/record/event-parts.schema.ts';
import type { OpenGate } from '../../view/open-gates.ts';
import type { RootCause, SkippedStep } from '../../view/summary.ts';

/**
 * `waiting`: only people can move it. `paused` and `interrupted` runs can be resumed; `interrupted` means that this process was told to stop, or that
 * another process took the run over.
 */
export type RestStatus = 'completed' | 'failed' | 'cancelled' | 'waiting' | 'paused' | 'interrupted';

export interface RunReport<Output extends Json = Json> {
  readonly run: string;
  readonly template: string;
  readonly status: RestStatus;
  /** Some convergence went on without all that it expected. */
  readonly partial: boolean;
  /** Interrupted because another process has taken the run over and drives it now. */
  readonly takenOver?: true;
  /** The template's `output`, else the results of its sinks by name; null while the run has not ended. */
  readonly output: Output | null;
  readonly failure?: Failure;
  /** Steps that failed by themselves. */
  readonly failed: readonly RootCause[];
  /** Steps whose failure was tolerated. */
  readonly tolerated: readonly RootCause[];
  /** Steps that did not run. */
  readonly skipped: readonly SkippedStep[];
  /** The limit that forced a convergence; money in dollars, time in seconds. */
  readonly stop?: Exhaustion;
  /** The open gates, when the run waits for nothing else. */
  readonly gates?: readonly OpenGate[];
  /** Money in dollars. */
  readonly spent: ShownAmount;
  /** Seconds in which something was under way. */
  readonly elapsed: number;
}
