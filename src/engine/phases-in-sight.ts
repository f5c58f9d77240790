// What a planning step can see of the run: its ancestors, by phase, nearest first, and no more of them than a packet can hold.
import { predecessors } from '../graph/plan-graph.ts';
import { FRAME } from './convergence.ts';
import { isTerminal, type RunState, type Step, stepOf } from './state.ts';

export interface PhaseInSight {
  /** The planning step that brought it, or `frame` for authored steps. */
  readonly id: string;
  readonly rationale?: string;
  readonly steps: readonly Step[];
}

/** Enough for any packet, and a bound on what planning costs in a run that has grown for long. */
const MOST_STEPS = 200;
const MOST_PHASES = 20;

/** Walks from a planning step up through the phases that end at it, and through the planning steps that brought those. */
export function phasesInSight(state: RunState, planner: Step): PhaseInSight[] {
  const found = new Map<string, Step[]>();
  const seen = new Set<string>([planner.id]);
  let frontier = [planner.id];
  let count = 0;
  while (frontier.length > 0 && count < MOST_STEPS && found.size < MOST_PHASES) {
    const next: string[] = [];
    for (const id of frontier) {
      for (const above of predecessors(state.graph, id)) {
        const step = stepOf(state, above);
        // What the steps of a fan-out did is the fan-out's result.
        if (seen.has(above) || step.item !== undefined) continue;
        seen.add(above);
        next.push(above);
        if (step.spec.type === 'planning' || !isTerminal(step)) continue;
        const phase = step.provenance?.planner ?? FRAME;
        const steps = found.get(phase) ?? [];
        found.set(phase, steps);
        steps.push(step);
        if (++count >= MOST_STEPS) break;
      }
    }
    frontier = next;
  }
  return [...found].map(([id, steps]) => {
    const rationale = state.phases.get(id)?.rationale;
    return { id, steps, ...(rationale === undefined ? {} : { rationale }) };
  });
}

export function stepsInSight(state: RunState, planner: Step): Step[] {
  return phasesInSight(state, planner).flatMap(({ steps }) => steps);
}
