// What a fragment may cost at most, before any of it has run.
import { type Amount, nothing, plus } from '../budget/amount.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { StepSpec } from '../template/step-spec.ts';

type Declarations = Readonly<Record<string, Declaration>>;

/**
 * The worst case: every attempt that a step may make is made, and each calls. A nested planning step counts itself, its
 * phase, and the calls of a planner that is a capability; what it will graft is judged when it does, and a
 * planner that it inherits is paid for when it is asked. Cost comes from the
 * capabilities' price hints, so it is zero where they give none. Additive: the estimate of two lists is the sum of both.
 */
export function estimateOf(steps: readonly StepSpec[], declarations: Declarations): Amount {
  return steps.reduce((sum, step) => plus(sum, estimateOfStep(step, declarations)), nothing);
}

export function estimateOfStep(step: StepSpec, declarations: Declarations): Amount {
  const self: Amount = step.type === 'planning' ? { steps: 1, phases: 1 } : { steps: 1 };
  const { planning } = step;
  if (planning?.planner?.kind === 'capability') {
    return plus(self, callsOf(planning.planner.name, planning.maxAttempts, declarations));
  }
  return step.capability === undefined
    ? self
    : plus(self, callsOf(step.capability, step.retry.maxAttempts, declarations));
}

function callsOf(capability: string, calls: number, declarations: Declarations): Amount {
  const price = Object.hasOwn(declarations, capability) ? declarations[capability]?.cost.micro_dollars : undefined;
  return { tool_calls: calls, ...(price === undefined ? {} : { cost_usd: Math.ceil(price * calls) }) };
}
