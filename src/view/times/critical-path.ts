// The critical path: the chain of steps that decided when the run ended, found backwards.
import type { Instant } from '../../base/quantity.ts';
import type { RunView, StepView } from '../../engine/state/run-view.ts';
import { predecessors } from '../../graph/plan-graph.ts';
import type { RunTimes } from './run-times.ts';

/**
 * The ids of the steps, the first one first. From the last step, each time the dependency that ended last is taken. While
 * a run goes on, the path leads to the step that has been at work for the longest time, or that holds the run.
 */
export function criticalPath(state: RunView, times: Pick<RunTimes, 'steps'>): readonly string[] {
  const path: string[] = [];
  const seen = new Set<string>();
  let id = lastStep(state, times);
  while (id !== undefined && !seen.has(id)) {
    seen.add(id);
    if (times.steps.get(id)?.began !== undefined) path.push(id);
    id = lastBefore(state, times, id);
  }
  return path.reverse();
}

/** The first of the steps at work, else of the steps that wait for a person, else the step that ended last. */
function lastStep({ steps }: RunView, times: Pick<RunTimes, 'steps'>): string | undefined {
  let best: { readonly id: string; readonly rank: number; readonly at: Instant } | undefined;
  for (const step of steps.values()) {
    const { began, ended } = times.steps.get(step.id) ?? {};
    if (began === undefined) continue;
    const rank = rankOf(step);
    if (rank === 0 && ended === undefined) continue;
    // Live steps count from their beginning, the earliest first; ended steps count to their end, the latest first.
    const at = rank === 0 ? (ended ?? began) : -began;
    if (best === undefined || rank > best.rank || (rank === best.rank && at >= best.at))
      best = { id: step.id, rank, at };
  }
  return best?.id;
}

function rankOf({ status, expanded }: StepView): number {
  // A fan-out waits for its items, which are live themselves.
  if (expanded !== undefined && status === 'waiting') return 0;
  if (status === 'running' || status === 'retrying') return 2;
  return status === 'held' ? 1 : 0;
}

/** The dependency that ended last before a step began; the step's planner counts as a dependency. */
function lastBefore(state: RunView, times: Pick<RunTimes, 'steps'>, id: string): string | undefined {
  const own = times.steps.get(id);
  const planner = state.steps.get(id)?.provenance?.planner;
  const until = own?.began ?? own?.ended ?? Number.POSITIVE_INFINITY;
  let best: { readonly id: string; readonly ended: Instant } | undefined;
  for (const before of [...(planner === undefined ? [] : [planner]), ...predecessors(state.graph, id)]) {
    const { began, ended } = times.steps.get(before) ?? {};
    if (ended === undefined) continue;
    // The items of a fan-out end after the fan-out has begun.
    if (ended > until && state.steps.get(before)?.item?.of !== id) continue;
    if (best === undefined || ended > best.ended || (ended === best.ended && began !== undefined))
      best = { id: before, ended };
  }
  return best?.id;
}
