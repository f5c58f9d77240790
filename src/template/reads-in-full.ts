// Whether nothing is shrunk for a planner: rules and capabilities read results as they are, the words of a goal need none, and models read what fits.
import type { PlannerSpec } from './step-spec.ts';

export function readsInFull(planner: PlannerSpec): boolean {
  switch (planner.kind) {
    case 'lisp':
    case 'capability':
    case 'pattern':
      return true;
    case 'fixed':
      // Its rule mends it where there is one, else its model.
      return planner.repair !== undefined || planner.model === undefined;
    case 'llm':
    case 'hybrid':
      return false;
  }
}
