// What the names in a fragment can mean beside its own steps.
import { defined } from '../base/json.ts';
import type { Producer, Scope } from '../template/scope.ts';
import type { Fragment } from './fragment.ts';
import type { Frame } from './frame.ts';

/** The frame's producers and the planning step itself, on which every step of the fragment hangs anyway. */
export function producerNamed(name: string, { outside, planner }: Frame): Producer | undefined {
  const found = outside.get(name);
  if (found !== undefined) return found;
  return name === planner || name === nameOf(planner) ? { id: planner, optional: false } : undefined;
}

/** The fragment as the checks of a template see a document. */
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

/** `plan_deep` of `plan_recon.1/plan_deep` */
export function nameOf(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
