// Reads the states of runs for one order: folds each run once, and again only when its journal has grown.
import type { Result } from '../../base/result.ts';
import type { RunState } from '../../engine/state/state.ts';
import type { Journal } from '../../store/journal.ts';
import { readState } from './read-run.ts';

/** Issues: those of `readState`. Callers share the returned state and must not read it after a driver has taken it over. */
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
