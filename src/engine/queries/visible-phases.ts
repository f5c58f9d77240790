// The phases that a planning step can see: its ancestors, nearest first, bounded by the size of a packet.
import { defined } from '../../base/json.ts';
import { predecessors } from '../../graph/plan-graph.ts';
import { reachableFrom } from '../../graph/reach.ts';
import type { Need } from '../../template/step-spec.ts';
import { FRAME } from '../record/convergence.ts';
import { isTerminal, type RunState, type Step, stepOf } from '../state/state.ts';

export interface VisiblePhase {
  /** The planning step that brought it, or `frame` for authored steps. */
  readonly id: string;
  readonly rationale?: string;
  readonly steps: readonly Step[];
}

/** The most steps and phases that a planning step sees. */
export interface VisibilityLimits {
  readonly steps: number;
  readonly phases: number;
}

/** Enough for any packet, and a bound on the cost of planning in a long run. */
export const DEFAULT_VISIBILITY: VisibilityLimits = { steps: 200, phases: 20 };

/** Walks up from a planning step through the phases that end at it, and through their planning steps. */
export function visiblePhases(
  state: RunState,
  planner: Step,
  most: VisibilityLimits = DEFAULT_VISIBILITY,
): VisiblePhase[] {
  const found = new Map<string, Step[]>();
  const seen = new Set<string>([planner.id]);
  let frontier = [planner.id];
  let count = 0;
  while (frontier.length > 0 && count < most.steps && found.size < most.phases) {
    const next: string[] = [];
    for (const id of frontier) {
      for (const above of predecessors(state.graph, id)) {
        const step = stepOf(state, above);
        // The result of a fan-out contains the results of its items.
        if (seen.has(above) || step.item !== undefined) continue;
        seen.add(above);
        next.push(above);
        if (step.spec.type === 'planning' || !isTerminal(step) || isElsewhere(step)) continue;
        const phase = step.provenance?.planner ?? FRAME;
        const steps = found.get(phase) ?? [];
        found.set(phase, steps);
        steps.push(step);
        if (++count >= most.steps) break;
      }
    }
    frontier = next;
  }
  return [...found].map(([id, steps]) => {
    const rationale = state.phases.get(id)?.rationale;
    return { id, steps, ...defined({ rationale }) };
  });
}

/** Whether another step adopted the result, or a repair superseded the step. */
function isElsewhere({ status, takenUp }: Step): boolean {
  return status === 'superseded' || (status === 'completed' && takenUp !== undefined);
}

/** The steps that a planning step may be shown: the visible steps, and distant steps that it names. */
export function visibleSteps(state: RunState, planner: Step): Step[] {
  const near = visiblePhases(state, planner).flatMap(({ steps }) => steps);
  return [...near, ...namedSteps(state, planner, new Set(near))];
}

/**
 * The ended steps beyond the visible ones that its needs name by full id. Only such needs cost a walk through the whole
 * run.
 */
export function namedSteps(state: RunState, planner: Step, visible: ReadonlySet<Step>): Step[] {
  const wanted = new Set(
    needsOf(planner).flatMap(({ step: id }) => {
      const step = state.steps.get(id);
      return step === undefined || !isTerminal(step) || visible.has(step) ? [] : [step];
    }),
  );
  if (wanted.size === 0) return [];
  const above = reachableFrom([planner.id], (id) => predecessors(state.graph, id));
  return [...wanted].filter(({ id }) => above.has(id));
}

/** The needs of the template's planning step and of its planner. */
function needsOf({ spec, needs = [] }: Step): readonly Need[] {
  return [...(spec.planning?.needs ?? []), ...needs];
}
