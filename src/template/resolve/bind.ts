// Adds what the steps of a document imply for each other: dependencies by references, and the convergence of targets.
import { defined } from '../../base/json.ts';
import { type KeyValues, readKeys } from '../keys/key.ts';
import { convergenceKeys } from '../keys/step-parts.ts';
import { carryReferences, referencesOf } from '../step-references.ts';
import type { ConvergenceSpec, FanOutSpec, StepSpec, StepType } from '../step-spec.ts';

/** A reference to the result of a step of the document is a dependency. A convergence step without `convergence` gets the defaults. */
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

/** The item step has the dependencies of its fan-out. */
function seeing(dependencies: readonly string[], fanOut: FanOutSpec): FanOutSpec {
  return { ...fanOut, do: carryReferences(fanOut.do, { ...fanOut.do, dependencies }) };
}

/** Only references to `results` imply dependencies; `depends` requires a declared one. */
function impliedBy(step: StepSpec, names: ReadonlySet<string>): readonly string[] {
  const found = referencesOf(step).references.flatMap(({ root, path: [name] }) =>
    root === 'results' && name !== undefined ? [name] : [],
  );
  return [...new Set(found)].filter((name) => names.has(name) && !step.dependencies.includes(name));
}

/** The default policy is `all_settled` for planning steps and `all_success` for all others. */
export function withPolicy(read: KeyValues<typeof convergenceKeys>, type: StepType): ConvergenceSpec {
  return { ...read, policy: read.policy ?? (type === 'planning' ? 'all_settled' : 'all_success') };
}
