// The frame for the review of a plan before any run, as if all steps before its planning step had succeeded.
import { defined } from '../../base/json.ts';
import { predecessors } from '../../graph/plan-graph.ts';
import { reachableFrom } from '../../graph/reach.ts';
import type { Frame } from '../../planning/frame.ts';
import { producersOf } from '../../template/check/producers.ts';
import type { Producer } from '../../template/scope.ts';
import type { Template } from '../../template/template.ts';
import { evolve } from '../state/evolve.ts';
import { newState, type RunState } from '../state/state.ts';
import { frameOf } from './frame-of.ts';

/** Undefined: the template has no planning step of this name. The frame lacks the steps of earlier plans, which are unknown. */
export function frameBeforeRun(template: Template, name: string): Frame | undefined {
  const state = newState(template);
  const event = {
    type: 'run.started',
    run: '',
    template: template.digest,
    input: { value: null },
    folder: '',
    by: '',
  } as const;
  evolve(state, { version: 1, at: 0, cause: 0, event });
  const step = state.steps.get(name);
  if (step === undefined || step.spec.planning === undefined) return undefined;
  return { ...frameOf({ state, at: state.at }, step), outside: ancestorsOf(state, name) };
}

function ancestorsOf(state: RunState, name: string): ReadonlyMap<string, Producer> {
  const { steps, input, capabilities: declarations } = state.template;
  const scope = {
    steps,
    outside: { get: () => undefined, names: () => [] },
    ...defined({ input }),
    declarations,
  };
  const producers = producersOf(scope);
  const found = new Map<string, Producer>();
  for (const id of reachableFrom([name], (each) => predecessors(state.graph, each))) {
    const producer = state.steps.get(id)?.spec.type === 'planning' ? undefined : producers.get(id);
    if (id !== name && producer !== undefined) found.set(id, producer);
  }
  return found;
}
