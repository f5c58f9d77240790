// The graph of a fragment: dependencies, dependents, depths, and the targets of nested phases.
import { generationsOf } from '../graph/generations.ts';
import type { StepSpec } from '../template/step-spec.ts';

export interface Wiring {
  readonly byName: ReadonlyMap<string, StepSpec>;
  /** Dependencies inside the fragment, by name. */
  readonly inner: ReadonlyMap<string, readonly string[]>;
  readonly dependents: ReadonlyMap<string, readonly string[]>;
  /** The length of the longest chain that ends at each step; a step on or behind a cycle has none. */
  readonly depth: ReadonlyMap<string, number>;
}

export function wiringOf(steps: readonly StepSpec[]): Wiring {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const inner = new Map<string, readonly string[]>();
  const dependents = new Map<string, string[]>(steps.map(({ name }) => [name, []]));
  for (const { name, dependencies } of byName.values()) {
    const within = dependencies.filter((each) => byName.has(each));
    inner.set(name, within);
    for (const each of within) dependents.get(each)?.push(name);
  }
  return { byName, inner, dependents, depth: depthsOf(inner, dependents) };
}

/** Planners nearly always list steps after those that they wait for: then one pass over the list is enough. */
function depthsOf(inner: Wiring['inner'], dependents: Wiring['dependents']): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const [name, dependencies] of inner) {
    let depth = 1;
    for (const dependency of dependencies) {
      const above = depths.get(dependency);
      if (above === undefined) return depthsByGeneration(dependents);
      depth = Math.max(depth, above + 1);
    }
    depths.set(name, depth);
  }
  return depths;
}

function depthsByGeneration(dependents: Wiring['dependents']): ReadonlyMap<string, number> {
  const generations = generationsOf([...dependents.keys()], (name) => dependents.get(name) ?? []);
  return new Map(generations.entries().map(([name, generation]) => [name, generation + 1]));
}

/** The target of a nested phase: a step of the fragment, or undefined for the frame's target. */
export function nestedTarget(step: StepSpec, { byName, dependents }: Wiring): string | undefined {
  const named = step.planning?.target;
  if (named !== undefined) return byName.has(named) ? named : undefined;
  const [only, another] = dependents.get(step.name) ?? [];
  return another === undefined ? only : undefined;
}
