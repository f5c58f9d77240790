// Keeps and reads snapshots of runs. A snapshot saves reading a long run from its beginning; a run can do without.
import { snapshotText, stateFrom, stateShape } from '../../engine/codec/snapshot-codec.ts';
import type { RunState } from '../../engine/state/state.ts';
import type { Journal, Snapshot } from '../../store/journal.ts';
import type { Lease } from '../../store/lease.ts';
import type { Template } from '../../template/template.ts';
import { version } from './package-version.ts';

/** Fewer new events fold within milliseconds and need no snapshot. */
const AT_REST = 1_000;
/** Writing a snapshot holds up a moving run, so it needs this many new events, and a fourth of all events. */
const ON_THE_WAY = 5_000;

export interface Snapshots {
  /** Called while the run only waits and all its events are durable. */
  onTheWay(): void;
  /** Called when the run has come to rest and can be resumed. */
  atRest(): void;
}

export function snapshotsOf(journal: Journal, lease: Lease, state: RunState): Snapshots {
  let known: number | undefined;

  function keepAfter(events: (kept: number) => number): void {
    if (state.version < AT_REST) return;
    known ??= readable(journal, lease.stream)?.version ?? 0;
    if (state.version - known < events(known)) return;
    journal.keepSnapshot(lease, { version: state.version, shape: shape(), text: snapshotText(state) });
    known = state.version;
  }

  return {
    onTheWay: () => keepAfter((kept) => Math.max(ON_THE_WAY, kept / 4)),
    atRest: () => keepAfter(() => AT_REST),
  };
}

/** The state in the last snapshot of a run. */
export function lastState(journal: Journal, run: string, template: Template): RunState | undefined {
  const snapshot = readable(journal, run);
  return snapshot === undefined ? undefined : stateFrom(snapshot.text, template);
}

/** The last snapshot, unless another version of the program wrote it, which may have folded events differently. */
export function readable(journal: Journal, run: string): Snapshot | undefined {
  const snapshot = journal.snapshot(run);
  return snapshot?.shape === shape() ? snapshot : undefined;
}

let known: string | undefined;

function shape(): string {
  known ??= `${version()} ${stateShape}`;
  return known;
}
