// A run as its journal tells it: whole, or in a line of a list.
import type { ShownAmount } from '../../budget/display-figures.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import type { Template } from '../../template/template.ts';

export interface RunSummary {
  readonly id: string;
  readonly template: string;
  /** The run whose step has started it. */
  readonly parent?: string;
  /** `completed`, `failed`, `cancelled`, `waiting`, `paused`, `running`, `cancelling`, or `interrupted`: nobody drives it. */
  readonly status: string;
  /** Some convergence went on without all that it expected. */
  readonly partial: boolean;
  readonly createdAt: number;
  /** A live process is driving it. */
  readonly driven: boolean;
  /** How many gates are open. */
  readonly gates: number;
  /** Steps, phases and `cost_usd` in dollars; so is `limit`. */
  readonly spent: ShownAmount;
  readonly limit: ShownAmount;
}

export interface RunRecord {
  /** The run that is taken up for this one to go on: itself, unless a step of another waits for it. */
  readonly root: string;
  readonly state: RunView;
  readonly events: readonly Recorded[];
  readonly template: Template;
  /** A live process is driving it. */
  readonly driven: boolean;
  /** A large value by digest. */
  blob(digest: string): string | undefined;
  /** The last snapshot that this version can read: the state after an event, as text. */
  snapshot(): { readonly version: number; readonly text: string } | undefined;
}
