// The issues of runs that cannot be resumed: they have ended, or another process drives them.
import { type Issue, issue } from '../../base/issue.ts';
import type { RunView } from '../../engine/state/run-view.ts';

export function ended(state: RunView): Issue {
  const status = state.ended?.status ?? state.status;
  return issue('RUN_ENDED', `run ${state.id} has ended (${status})`, { hint: `see it: reconverge show ${state.id}` });
}

export function driven(run: string, pid: number): Issue {
  return issue('RUN_DRIVEN', `run ${run} is being driven by process ${pid}`, {
    hint: `watch it: reconverge show ${run}; or stop that process first`,
  });
}
