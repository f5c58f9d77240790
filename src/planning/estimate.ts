// Estimates the worst-case cost of a fragment before it runs.
import { type Amount, nothing, plus, times } from '../budget/amount.ts';
import type { Declaration } from '../contract/declaration.ts';
import { CLARIFICATIONS } from '../template/step-defaults.ts';
import type { PlannerSpec, StepSpec } from '../template/step-spec.ts';

type Declarations = Readonly<Record<string, Declaration>>;

/**
 * The worst case: every step uses all attempts and all questions to people, with a call each, and every fan-out has its
 * full width. A nested planning step counts itself, its phase, and the calls of its own capability planner; its graft is
 * judged later, and an inherited planner is paid when it is asked. Cost comes from the price hints of capabilities, and is
 * zero without hints. Agents, judges and model planners count one model call per attempt, the least possible, because
 * their length is unknown and each model call is paid in advance. Estimates of two lists add up.
 */
export function estimateOf(steps: readonly StepSpec[], declarations: Declarations): Amount {
  return steps.reduce((sum, step) => plus(sum, estimateOfStep(step, declarations)), nothing);
}

export function estimateOfStep(step: StepSpec, declarations: Declarations): Amount {
  const self: Amount = step.type === 'planning' ? { steps: 1, phases: 1 } : { steps: 1 };
  const { planning, fanOut } = step;
  if (fanOut !== undefined) return plus(self, times(estimateOfStep(fanOut.do, declarations), fanOut.maxWidth));
  if (planning?.planner?.kind === 'capability') {
    return plus(self, callsOf(planning.planner.name, planning.maxAttempts, step, declarations));
  }
  return plus(self, callsOfStep(step, declarations));
}

function callsOfStep({ agent, judge, planning, ...step }: StepSpec, declarations: Declarations): Amount {
  const { capability, retry } = step;
  const asks = (agent === undefined ? 0 : 1) + (judge === undefined ? 0 : 1);
  const called =
    capability === undefined || agent !== undefined
      ? nothing
      : callsOf(capability, retry.maxAttempts, step, declarations);
  const planned = planning?.planner?.kind === 'llm' ? 1 : 0;
  const asked = asks * retry.maxAttempts + planned;
  return asked === 0 ? called : plus(called, { llm_calls: asked });
}

function callsOf(
  capability: string,
  attempts: number,
  step: Pick<StepSpec, 'maxClarifications'>,
  declarations: Declarations,
): Amount {
  const asks = declarationOf(capability, declarations)?.asks === true;
  const questions = asks ? (step.maxClarifications ?? CLARIFICATIONS) : 0;
  return times(priceOfCall(capability, declarations), attempts + questions);
}

/** The least cost of asking a planner; its own calls are paid one by one. */
export function priceOfPlanner(planner: PlannerSpec, declarations: Declarations): Amount {
  if (planner.kind === 'capability') return priceOfCall(planner.name, declarations);
  return planner.kind === 'llm' ? { llm_calls: 1 } : nothing;
}

const UNPRICED: Amount = Object.freeze({ tool_calls: 1 });

/** The reservation for one call, and its charge when the real cost is unknown; for a child run, the cost of its start. */
export function priceOfCall(capability: string, declarations: Declarations): Amount {
  const declaration = declarationOf(capability, declarations);
  if (declaration?.runs !== undefined) {
    const { steps, phases } = declaration.runs;
    return phases === 0 ? { ...UNPRICED, steps } : { ...UNPRICED, steps, phases };
  }
  const price = declaration?.cost.micro_dollars;
  return price === undefined ? UNPRICED : { ...UNPRICED, cost_usd: Math.ceil(price) };
}

function declarationOf(capability: string, declarations: Declarations): Declaration | undefined {
  return Object.hasOwn(declarations, capability) ? declarations[capability] : undefined;
}
