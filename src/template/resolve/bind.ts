// Relates the steps of one document: adds the dependencies that references imply, and the convergence of targets.
import { defined } from '../../base/json.ts';
import { type KeyValues, readKeys } from '../keys/key.ts';
import { convergenceKeys } from '../keys/step-parts.ts';
import { carryReferences, referencesOf } from '../step-references.ts';
import type { ConvergenceSpec, FanOutSpec, StepSpec, StepType } from '../step-spec.ts';

/** A reference to a sibling makes it a dependency; a step at which something converges judges it, by default if need be. */
export function bindSteps(steps: readonly StepSpec[]): readonly StepSpec[] {
  const names = new Set(steps.map((step) => step.name));
  const targets = new Set(steps.flatMap((step) => step.planning?.target ?? []));
  return steps.map((step) => {
    const implied = impliedBy(step, names);
    const converges = step.type === 'deferred' || targets.has(step.name);
    const missing = converges && step.convergence === undefined;
    if (implied.length === 0 && !missing && step.fanOut === undefined) return step;
    const dependencies = [...step.dependencies, ...implied];
    return carryReferences(step, {
      ...step,
      dependencies,
      implied,
      ...(missing ? { convergence: withPolicy(readKeys(convergenceKeys, {}), step.type) } : {}),
      ...defined({ fanOut: step.fanOut === undefined ? undefined : seeing(dependencies, step.fanOut) }),
    });
  });
}

/** The items of a fan-out see what it depends on. */
function seeing(dependencies: readonly string[], fanOut: FanOutSpec): FanOutSpec {
  return { ...fanOut, do: carryReferences(fanOut.do, { ...fanOut.do, dependencies }) };
}

/** `depends` says that the dependency is declared elsewhere; only `results` brings one. */
function impliedBy(step: StepSpec, names: ReadonlySet<string>): readonly string[] {
  const found = referencesOf(step).references.flatMap(({ root, path: [name] }) =>
    root === 'results' && name !== undefined ? [name] : [],
  );
  return [...new Set(found)].filter((name) => names.has(name) && !step.dependencies.includes(name));
}

/** By default planning steps judge what has settled, and all others want success. */
export function withPolicy(read: KeyValues<typeof convergenceKeys>, type: StepType): ConvergenceSpec {
  return { ...read, policy: read.policy ?? (type === 'planning' ? 'all_settled' : 'all_success') };
}
