// The summary of a run in a list of runs, read from the header of its stream without folding its events.
import type { Duration, Instant } from '../../base/quantity.ts';
import { durationOfSeconds, type ShownAmount } from '../../budget/display-figures.ts';
import type { GateKind } from '../../engine/record/gate-events.schema.ts';
import type { CountedStatus } from '../../engine/state/step-tally.ts';

/** The oldest open question of a run; its prompt is cut after 160 characters. */
export interface FirstQuestion {
  readonly gate: string;
  readonly kind: GateKind;
  readonly step: string;
  readonly prompt: string;
}

/**
 * `steps`, `failed`, `elapsed` and `updatedAt` are absent for a run that an earlier version wrote and whose events have
 * not been read since, and for a run whose events cannot be read.
 */
export interface RunSummary {
  readonly id: string;
  readonly template: string;
  /** The parent run. */
  readonly parent?: string;
  /** The step of the parent run that started this run. */
  readonly parentStep?: string;
  /** The run of which this one is a fork, and their last common event. */
  readonly forked?: { readonly from: string; readonly at: number };
  /** The runs that steps of this run started, in the order of their start. */
  readonly children?: readonly string[];
  /** The forks of this run, in the order of their start. */
  readonly forks?: readonly string[];
  /** `completed`, `failed`, `cancelled`, `waiting`, `paused`, `running`, `cancelling`, or `interrupted`: no process drives it. */
  readonly status: string;
  /** A convergence went on without some of its branches. */
  readonly partial: boolean;
  readonly createdAt: Instant;
  /** The time of its last event. */
  readonly updatedAt?: Instant;
  readonly endedAt?: Instant;
  /** A live process is driving it. */
  readonly driven: boolean;
  /** The number of open gates. */
  readonly gates: number;
  readonly question?: FirstQuestion;
  /** The number of steps by status; a status without steps is absent. */
  readonly steps?: Readonly<Partial<Record<CountedStatus, number>>>;
  /** The number of steps that failed by themselves or were cut off by the budget. */
  readonly failed?: number;
  /** The failure that ended the run; its message is cut after 160 characters. */
  readonly failure?: { readonly code: string; readonly message: string };
  /** The seconds in which the run worked, up to its last event. */
  readonly elapsed?: number;
  /** Steps, phases, and `cost_usd` in dollars. */
  readonly spent: ShownAmount;
  /** The limits of the same resources. */
  readonly limit: ShownAmount;
}

/** The time in which a run worked. A running run has worked since its last event too. */
export function workedUntil(run: RunSummary, now: Instant): Duration | undefined {
  const { elapsed, updatedAt, status } = run;
  if (elapsed === undefined) return undefined;
  const since = status === 'running' && updatedAt !== undefined ? Math.max(0, now - updatedAt) : 0;
  return durationOfSeconds(elapsed) + since;
}

/** The number of all steps; for a run of an earlier version, the number that its budget counted. */
export function stepCount({ steps, spent }: RunSummary): number {
  return steps === undefined ? (spent.steps ?? 0) : Object.values(steps).reduce((sum, count) => sum + count, 0);
}
