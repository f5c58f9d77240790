// Whether a run waits for people alone.

import type { RunView } from './run-view.ts';
import { waitsForRuns } from './waits-for-runs.ts';

/** Gates are open, and nothing else can happen: what is ready waits for a run that waits itself. */
export function isWaiting(state: RunView): boolean {
  const { status, live, openGates, running, ready, retrying } = state;
  if (status !== 'running' || live === 0 || openGates.size === 0 || running.size + retrying.size > 0) return false;
  return ready.size === 0 || [...ready].every((id) => waitsForRuns(state, id));
}
