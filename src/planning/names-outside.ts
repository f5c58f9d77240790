// Resolves names in a fragment that mean steps outside it.
import { defined } from '../base/json.ts';
import type { Producer, Scope } from '../template/scope.ts';
import type { Fragment } from './fragment.ts';
import type { Frame } from './frame.ts';

/** Finds a producer of the frame, or the planning step itself. */
export function producerNamed(name: string, { outside, planner }: Frame): Producer | undefined {
  const found = outside.get(name);
  if (found !== undefined) return found;
  return name === planner || name === nameOf(planner) ? { id: planner, optional: false } : undefined;
}

/** The scope that template checks expect. */
export function scopeOf({ steps }: Fragment, frame: Frame): Scope {
  const { outside, input, declarations, planner } = frame;
  return {
    steps,
    outside: {
      get: (name) => producerNamed(name, frame),
      names: () => [nameOf(planner), planner, ...outside.keys()],
    },
    ...defined({ input }),
    declarations,
  };
}

/** The name in a full id: `plan_deep` for `plan_recon.1/plan_deep`. */
export function nameOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
