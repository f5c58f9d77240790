// What a fragment may cost at most, before any of it has run.
import { type Amount, nothing, plus, times } from '../budget/amount.ts';
import type { Declaration } from '../contract/declaration.ts';
import { CLARIFICATIONS, type PlannerSpec, type StepSpec } from '../template/step-spec.ts';

type Declarations = Readonly<Record<string, Declaration>>;

/**
 * The worst case: every attempt that a step may make is made, and each calls; what may ask a person asks as often as it
 * may, and is called again. A fan-out becomes as many steps as it may. A nested planning step counts itself, its
 * phase, and the calls of a planner that is a capability; what it will graft is judged when it does, and a
 * planner that it inherits is paid for when it is asked. Cost comes from the
 * capabilities' price hints, so it is zero where they give none. Of agents, judges and planners that ask a model only the
 * least is counted, one ask for each attempt: how long they go on nobody knows, and each ask is paid before it is made.
 * Additive: the estimate of two lists is the sum of both.
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

/** What asking a planner takes at least; what it asks for itself is paid call by call. */
export function priceOfPlanner(planner: PlannerSpec, declarations: Declarations): Amount {
  if (planner.kind === 'capability') return priceOfCall(planner.name, declarations);
  return planner.kind === 'llm' ? { llm_calls: 1 } : nothing;
}

const UNPRICED: Amount = Object.freeze({ tool_calls: 1 });

/** What is set aside for one call, and charged when it is not known better; of a run of a template what it takes to begin. */
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
