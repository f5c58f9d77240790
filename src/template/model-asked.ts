// Whether a planner may ask a model, and by which profile.
import type { PlannerSpec } from './step-spec.ts';

export interface ModelAsked {
  /** Name of a profile; absent: `default`, or the only one there is. */
  readonly model?: string | undefined;
  /** Without any model it goes without. */
  readonly isOptional?: true;
}

/** Undefined: it asks none. */
export function modelAskedBy(planner: PlannerSpec | undefined): ModelAsked | undefined {
  switch (planner?.kind) {
    case 'llm':
      return { model: planner.model };
    case 'hybrid':
      return { model: planner.model, isOptional: true };
    case 'fixed':
      return planner.model === undefined ? undefined : { model: planner.model };
    default:
      return undefined;
  }
}
