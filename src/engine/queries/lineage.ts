// A lineage: the plans of one planning step with its repairs, and their steps.
import type { RunView } from '../state/run-view.ts';
import { type Step, stepOf } from '../state/state.ts';

/** The id of the first planning step of a plan's lineage. */
export function lineageOf(planner: Step): string {
  return planner.repairs?.lineage ?? planner.id;
}

/** The planning step itself, or the one that a repair stands for. */
export function originalOf(state: RunView, planner: Step): Step {
  const { repairs } = planner;
  return repairs?.planner === undefined ? planner : originalOf(state, stepOf(state, repairs.planner));
}

/** The planning steps above a step, nearest first. */
export function* plannersAbove(state: RunView, { provenance }: Step): Generator<Step> {
  for (let at = provenance; at !== undefined; ) {
    const planner = stepOf(state, at.planner);
    yield planner;
    at = planner.provenance;
  }
}

/** The steps of a lineage, with nested phases and without the items of fan-outs. */
export function stepsOfLineage(state: RunView, lineage: string): Step[] {
  const belongs = (step: Step): boolean => plannersAbove(state, step).some((planner) => lineageOf(planner) === lineage);
  return [...state.steps.values()].filter((step) => step.item === undefined && belongs(step));
}

/** The last repair of a lineage, if it has not begun: new failures can still join it. */
export function openRepair(state: RunView, lineage: string): Step | undefined {
  const last = state.lineages.get(lineage)?.repairs.at(-1);
  const repair = last === undefined ? undefined : stepOf(state, last);
  const isOpen =
    repair?.attempt === 0 &&
    (repair.status === 'waiting' || state.ready.has(repair.id) || state.retrying.has(repair.id));
  return isOpen ? repair : undefined;
}
