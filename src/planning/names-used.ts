// Collects the step names in a step's dependencies, branches, references and Lisp.

import { referencesOf } from '../template/step-references.ts';
import type { StepSpec } from '../template/step-spec.ts';

export function namesUsedBy(step: StepSpec): ReadonlySet<string> {
  const names = new Set([...step.dependencies, ...(step.decision?.branches ?? [])]);
  for (const { root, path } of referencesOf(step).references) {
    const [name] = path;
    if (name !== undefined && (root === 'results' || root === 'depends')) names.add(name);
  }
  return names;
}
