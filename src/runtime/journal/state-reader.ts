// Reads the states of runs for one order: each run is folded once, and again only when its journal has moved.
import type { Result } from '../../base/result.ts';
import type { RunState } from '../../engine/state/state.ts';
import type { Journal } from '../../store/journal.ts';
import { readState } from './read-run.ts';

/** Issues: those of `readState`. Readers share the state that is returned; a driver that takes it over is its last reader. */
export type StateReader = (run: string) => Result<RunState>;

export function stateReader(journal: Journal): StateReader {
  const known = new Map<string, Result<RunState> & { readonly ok: true }>();
  return (run) => {
    const last = known.get(run);
    if (last !== undefined && journal.header(run)?.version === last.value.version) return last;
    const read = readState(journal, run);
    if (read.ok) known.set(run, read);
    return read;
  };
}
