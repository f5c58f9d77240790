// The engine as a caller meets it: load templates, start runs, take them up again, command them from anywhere.

import type { Json } from '../base/json.ts';
import type { Result } from '../base/result.ts';
import type { Recorded } from '../engine/event.ts';
import type { RunState } from '../engine/state.ts';
import type { Template } from '../template/template.ts';
import type { RunReport } from './run-report.ts';

/** Told after commit, in order, batch by batch; what a listener throws cannot reach the run. */
export type Listener = (events: readonly Recorded[], state: RunState) => void;

export interface RunHandle {
  readonly id: string;
  /** Settles when the run has come to rest; rejects only for a Fault. */
  readonly done: Promise<RunReport>;
  /** Admits nothing new, lets what runs end within the grace (5 s), then leaves the run for `resume`. Twice: at once. */
  stop(): void;
}

export interface RunSummary {
  readonly id: string;
  readonly template: string;
  /** `completed`, `failed`, `cancelled`, `paused`, `running`, `cancelling`, or `interrupted`: nobody drives it. */
  readonly status: string;
  /** Some convergence went on without all that it expected. */
  readonly partial: boolean;
  readonly createdAt: number;
  /** A live process is driving it. */
  readonly driven: boolean;
  readonly spent: Readonly<Record<string, number>>;
  readonly limit: Readonly<Record<string, number>>;
}

export interface RunRecord {
  readonly state: RunState;
  readonly events: readonly Recorded[];
  readonly template: Template;
  /** A live process is driving it. */
  readonly driven: boolean;
  /** A large value by digest. */
  blob(digest: string): string | undefined;
}

export interface StartOptions {
  readonly input?: Json;
  /** Budget keys as on the command line, `max_total_steps` → `50`: they tighten; with `raise` they may loosen. */
  readonly budget?: Readonly<Record<string, string>>;
  readonly raise?: boolean;
  readonly onEvents?: Listener;
  readonly by?: string;
}

export interface Engine {
  /** Reads, resolves and checks a template file, its modules loaded. */
  load(file: string): Promise<Result<Template>>;
  /** Starts a run and drives it in this process. */
  start(template: Template, options?: StartOptions): Promise<Result<RunHandle>>;
  /** Takes up a run that no live process drives. Issues: RUN_UNKNOWN, RUN_ENDED, RUN_DRIVEN, CAPABILITY_GONE. */
  resume(run: string, options?: Pick<StartOptions, 'onEvents' | 'by'>): Promise<Result<RunHandle>>;
  /**
   * Leaves an order for whoever drives the run; drives it here for as long as the order takes when nobody does, which
   * for `cancel` needs none of its capabilities. Nothing is left behind when the order is refused.
   */
  order(
    run: string,
    order: { readonly type: 'cancel' | 'pause'; readonly by: string; readonly why?: string },
  ): Promise<Result<void>>;
  runs(): readonly RunSummary[];
  /** A run as its journal tells it. `run` may be a unique beginning of its id, or `latest`. */
  read(run: string): Result<RunRecord>;
  close(): Promise<void>;
}
