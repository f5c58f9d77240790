// The answer of an agent that decides: the branches that run, and the reason.
import type { JsonObject } from '../base/json.ts';
import type { StepSpec } from './step-spec.ts';

/** JSON Schema; undefined for a step that decides nothing. */
export function choiceValue({ decision }: StepSpec): JsonObject | undefined {
  if (decision === undefined) return undefined;
  return {
    type: 'object',
    required: ['branches'],
    properties: {
      branches: { type: 'array', items: { enum: [...decision.branches] } },
      why: { type: 'string' },
    },
    additionalProperties: false,
  };
}
