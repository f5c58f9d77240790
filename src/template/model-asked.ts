// Whether a planner may ask a model, and by which profile; whether it may ask for embeddings.
import type { PlannerSpec } from './step-spec.ts';

export interface PlannerModel {
  /** Name of a profile; absent: `default`, or the only one there is. */
  readonly model?: string | undefined;
  /** Without any model it goes without. */
  readonly isOptional?: true;
}

/** Undefined: it asks none. */
export function plannerModelOf(planner: PlannerSpec | undefined): PlannerModel | undefined {
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

/** It finds out by their words which capabilities serve the parts of a goal. */
export function matchesByWords(planner: PlannerSpec | undefined): boolean {
  switch (planner?.kind) {
    case 'pattern':
    case 'hybrid':
      return true;
    case 'llm':
      return planner.strategy !== undefined && planner.strategy !== 'direct';
    default:
      return false;
  }
}
