// The most that a step may spend on calls: every attempt, question and redelivery of it, and of what it fans out to.
import { type Amount, nothing, times } from '../budget/amount.ts';
import { callsOfStep } from '../planning/estimate.ts';
import type { StepSpec } from '../template/step-spec.ts';
import type { Template } from '../template/template.ts';

export function mostCalls(step: StepSpec, capabilities: Template['capabilities']): Amount {
  const { fanOut, maxDeliveries } = step;
  if (fanOut !== undefined) return times(mostCalls(fanOut.do, capabilities), fanOut.maxWidth);
  const calls = callsOfStep(step, capabilities);
  return calls === nothing ? nothing : times(calls, maxDeliveries);
}
