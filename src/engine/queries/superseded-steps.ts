// Finds the steps of a phase that a repair supersedes: those that have not begun.
import { predecessors, successors } from '../../graph/plan-graph.ts';
import { reachableFrom } from '../../graph/reach.ts';
import { hasBegun, isTerminal, type RunState, type Step, stepOf } from '../state/state.ts';

export interface SupersededSteps {
  readonly steps: readonly string[];
  /** Convergence steps that stay, because running phases end there. */
  readonly kept: readonly string[];
}

/**
 * The steps that a repair supersedes: those behind the failing step, or all that have not begun, but never the target.
 * `among`: the candidates.
 */
export function supersededSteps(
  state: RunState,
  among: readonly Step[],
  failing: Step | undefined,
  target: string,
  scope: 'tail' | 'phase',
): SupersededSteps {
  const open = new Map(among.filter((step) => isOpen(step) && step.id !== target).map((step) => [step.id, step]));
  const kept = targetsOfBegun(among, failing).filter((id) => open.delete(id));
  if (scope === 'phase' || failing === undefined) return { steps: [...open.keys()], kept };
  const steps = reachableFrom([failing.id], (id) => successors(state.graph, id).filter((each) => open.has(each)));
  plannersOf(steps, open);
  return { steps: [...open.keys()].filter((id) => steps.has(id)), kept };
}

function isOpen(step: Step): boolean {
  return !isTerminal(step) && !hasBegun(step);
}

function targetsOfBegun(among: readonly Step[], failing: Step | undefined): string[] {
  const begun = among.filter((step) => step.target !== undefined && hasBegun(step) && step !== failing);
  return [...new Set(begun.flatMap(({ target }) => target ?? []))];
}

/** Adds planning steps whose target is superseded: nobody would use their plan. */
function plannersOf(steps: Set<string>, open: ReadonlyMap<string, Step>): void {
  for (const { id, target } of open.values()) if (target !== undefined && steps.has(target)) steps.add(id);
}

/** The authored steps before a target. */
export function authoredStepsBefore(state: RunState, target: string): Step[] {
  const upstream = reachableFrom([target], (id) => predecessors(state.graph, id));
  return [...upstream]
    .map((id) => stepOf(state, id))
    .filter(({ provenance, repairs, item }) => provenance === undefined && repairs === undefined && item === undefined);
}
