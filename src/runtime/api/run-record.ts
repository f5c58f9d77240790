// The record of a run, and its summary in a list of runs.
import type { Instant } from '../../base/quantity.ts';
import type { ShownAmount } from '../../budget/display-figures.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import type { Template } from '../../template/template.ts';

export interface RunSummary {
  readonly id: string;
  readonly template: string;
  /** The parent run. */
  readonly parent?: string;
  /** `completed`, `failed`, `cancelled`, `waiting`, `paused`, `running`, `cancelling`, or `interrupted`: no process drives it. */
  readonly status: string;
  /** A convergence went on without some of its branches. */
  readonly partial: boolean;
  readonly createdAt: Instant;
  /** A live process is driving it. */
  readonly driven: boolean;
  /** The number of open gates. */
  readonly gates: number;
  /** Steps, phases, and `cost_usd` in dollars. */
  readonly spent: ShownAmount;
  /** The limits of the same resources. */
  readonly limit: ShownAmount;
}

export interface RunRecord {
  /** The outermost run that waits for this run; the run itself when no step waits for it. */
  readonly root: string;
  readonly state: RunView;
  readonly events: readonly Recorded[];
  readonly template: Template;
  /** A live process is driving it. */
  readonly driven: boolean;
  /** Returns a large value of the run by its digest. */
  blob(digest: string): string | undefined;
  /** The last snapshot that this version can read: the state as text, after the event `version`. */
  snapshot(): { readonly version: number; readonly text: string } | undefined;
}
