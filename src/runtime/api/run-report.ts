// The report of a run that has come to rest.
import type { Failure } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import type { ShownAmount } from '../../budget/display-figures.ts';
import type { Exhaustion } from '../../engine/record/event-parts.schema.ts';
import type { OrderOutcome } from '../../engine/record/run-events.schema.ts';
import type { OpenGate } from '../../view/open-gates.ts';
import type { RootCause, SkippedStep } from '../../view/summary.ts';

/**
 * `waiting`: only people can move the run. `paused` and `interrupted` runs can be resumed; `interrupted` means that this
 * process was stopped, or that another process took the run over.
 */
export type RestStatus = 'completed' | 'failed' | 'cancelled' | 'waiting' | 'paused' | 'interrupted';

export interface RunReport<Output extends Json = Json> {
  readonly run: string;
  readonly template: string;
  readonly status: RestStatus;
  /** A convergence went on without some of its branches, or nothing did an order of the goal. */
  readonly partial: boolean;
  /** Present when another process has taken the run over and drives it now. */
  readonly takenOver?: true;
  /** The template's `output`, or the results of its sinks by name; null until the run has ended. */
  readonly output: Output | null;
  readonly failure?: Failure;
  /** For a goal without a template that has ended: what was done about each of its orders, and by which steps. */
  readonly orders?: readonly OrderOutcome[];
  /** The steps that failed, without those that failed because of them. */
  readonly failed: readonly RootCause[];
  /** Steps whose failure was tolerated. */
  readonly tolerated: readonly RootCause[];
  /** Steps that did not run. */
  readonly skipped: readonly SkippedStep[];
  /** The limit that forced a convergence; money in dollars, time in seconds. */
  readonly stop?: Exhaustion;
  /** The open gates of a `waiting` run. */
  readonly gates?: readonly OpenGate[];
  /** Money in dollars. */
  readonly spent: ShownAmount;
  /** The seconds in which the run worked. */
  readonly elapsed: number;
}
