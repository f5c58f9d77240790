// Checks that references lead to the input or to an existing step, and to a path of its contract.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { defined, type Json } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { namesIn, schemaAt } from '../../contract/path.ts';
import { referenceText } from '../references.ts';
import type { Scope } from '../scope.ts';
import { referencesOf, referencesOfValue, type StepReference } from '../step-references.ts';
import type { StepSpec } from '../step-spec.ts';
import { eachStep } from './paths.ts';
import { producersOf } from './producers.ts';
import { originOfItem, type ReferenceOrigin, type ReferenceTarget, targetOf } from './reference-targets.ts';

export function checkReferences(scope: Scope): readonly Issue[] {
  const producers = producersOf(scope);
  const targets = new Set(scope.steps.flatMap((step) => step.planning?.target ?? []));
  return eachStep(scope, (step, at) => {
    const converges = step.convergence !== undefined || targets.has(step.name);
    const origin: ReferenceOrigin = { scope, producers, step, converges };
    const inside = step.fanOut === undefined ? origin : originOfItem(origin, step.fanOut);
    return referencesOf(step).references.flatMap((use) =>
      findingsOf(use, targetOf(use, use.at[0] === 'do' ? inside : origin), at),
    );
  });
}

/** Checks the references of the template's `output`, which may refer to every step. */
export function checkOutputReferences(scope: Scope, output: Json | undefined): readonly Issue[] {
  if (output === undefined) return [];
  const producers = producersOf(scope);
  return referencesOfValue(output, ['output'], 'output').references.flatMap((use) =>
    findingsOf(use, targetOf(use, { scope, producers, step: undefined, converges: false }), []),
  );
}

/** Checks the references of the repair planner, which may refer to every step. */
export function checkRepairReferences(scope: Scope, repair: StepSpec): readonly Issue[] {
  const origin: ReferenceOrigin = { scope, producers: producersOf(scope), step: repair, converges: false };
  return referencesOf(repair).references.flatMap((use) => findingsOf(use, targetOf(use, origin), ['repair']));
}

function findingsOf(use: StepReference, target: ReferenceTarget, stepAt: readonly PathPart[]): readonly Issue[] {
  const path = [...stepAt, ...use.at];
  const place = defined({ place: use.place });
  if (!target.known) return [{ ...target.issue, path, ...place }];
  const { schema } = target;
  if (schema === undefined) return [];
  const at = (count: number) => schemaAt(schema, target.path.slice(0, count));
  const length = target.path.findIndex((_, index) => at(index + 1) === 'absent');
  const holder = at(length);
  const name = target.path[length];
  if (length < 0 || name === undefined || typeof holder === 'string') return [];
  const known = namesIn(holder);
  const shown = referenceText({
    root: use.root,
    path: use.path.slice(0, use.path.length - target.path.length + length),
  });
  return [
    issue('REFERENCE_PATH_UNKNOWN', `the contract of ${shown} has no "${name}"`, {
      path,
      ...place,
      hint: didYouMean(name, known) ?? (known.length === 0 ? undefined : `choose from ${known.join(', ')}`),
    }),
  ];
}
