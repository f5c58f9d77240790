// Whether a planner reads results as they are: rules and capabilities do; what a model reads is shrunk first.
import type { PlannerSpec } from './step-spec.ts';

export function readsInFull(planner: PlannerSpec): boolean {
  switch (planner.kind) {
    case 'lisp':
    case 'capability':
      return true;
    case 'fixed':
      // Its rule mends it where there is one, else its model.
      return planner.repair !== undefined || planner.model === undefined;
    case 'llm':
    case 'hybrid':
    case 'pattern':
      return false;
  }
}
