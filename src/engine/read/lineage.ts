// The plans of one planning step, its own and the repairs of it, and the steps that they brought.
import { type RunState, type Step, stepOf } from '../state/state.ts';

/** The first planning step of the plans to which this one belongs. */
export function lineageOf(planner: Step): string {
  return planner.repairs?.lineage ?? planner.id;
}

/** The planning step that this one stands for: itself, or the first of its lineage. */
export function originalOf(state: RunState, planner: Step): Step {
  const { repairs } = planner;
  return repairs?.planner === undefined ? planner : originalOf(state, stepOf(state, repairs.planner));
}

/** The planning steps above a step, nearest first. */
export function* plannersAbove(state: RunState, { provenance }: Step): Generator<Step> {
  for (let at = provenance; at !== undefined; ) {
    const planner = stepOf(state, at.planner);
    yield planner;
    at = planner.provenance;
  }
}

/** What a lineage brought, nested phases included; the steps of a fan-out stand under it and are left out. */
export function stepsOfLineage(state: RunState, lineage: string): Step[] {
  const belongs = (step: Step): boolean => plannersAbove(state, step).some((planner) => lineageOf(planner) === lineage);
  return [...state.steps.values()].filter((step) => step.item === undefined && belongs(step));
}

/** The last repair of a lineage while it has not begun: what fails meanwhile can still join it. */
export function openRepair(state: RunState, lineage: string): Step | undefined {
  const last = state.lineages.get(lineage)?.repairs.at(-1);
  const repair = last === undefined ? undefined : stepOf(state, last);
  const isOpen =
    repair?.attempt === 0 &&
    (repair.status === 'waiting' || state.ready.has(repair.id) || state.retrying.has(repair.id));
  return isOpen ? repair : undefined;
}
