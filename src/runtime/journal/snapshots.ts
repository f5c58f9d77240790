// When snapshots of a run are kept, and whether one can be read: they spare reading a long run from its beginning, and nothing hangs on them.
import { snapshotText, stateFrom, stateShape } from '../../engine/codec/snapshot-codec.ts';
import type { RunState } from '../../engine/state/state.ts';
import type { Journal, Snapshot } from '../../store/journal.ts';
import type { Lease } from '../../store/lease.ts';
import type { Template } from '../../template/template.ts';
import { version } from './package-version.ts';

/** Events that fold in a few milliseconds. */
const AT_REST = 1_000;
/** On the way, a snapshot stops the run for as long as it takes to write: so many events, and a fourth of all, make it worth that. */
const ON_THE_WAY = 5_000;

export interface Snapshots {
  /** While the run has nothing to do but wait, and everything of it is durable. */
  onTheWay(): void;
  /** When it has come to rest, and may be taken up again. */
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

/** The state that a run had come to when its last snapshot was kept. */
export function lastState(journal: Journal, run: string, template: Template): RunState | undefined {
  const snapshot = readable(journal, run);
  return snapshot === undefined ? undefined : stateFrom(snapshot.text, template);
}

/** The last snapshot, unless another version wrote it, to which the same events may have meant something else. */
export function readable(journal: Journal, run: string): Snapshot | undefined {
  const snapshot = journal.snapshot(run);
  return snapshot?.shape === shape() ? snapshot : undefined;
}

let known: string | undefined;

function shape(): string {
  known ??= `${version()} ${stateShape}`;
  return known;
}
