// References lead somewhere: to the input, to a step that is there, to a path that its contract has.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { namesIn, schemaAt } from '../../contract/path.ts';
import { type Reference, referenceText } from '../references.ts';
import type { Producer, Producers, Scope } from '../scope.ts';
import type { StepSpec } from '../step-spec.ts';
import { type Use, usesOf, usesOfValue } from '../uses.ts';
import { eachStep } from './paths.ts';
import { convergenceValue, producersOf, runValue } from './producers.ts';

/** What a reference leads to; `schema` is absent where anything may be. */
export type Target =
  | { readonly known: true; readonly schema?: JsonObject; readonly optional: boolean; readonly path: readonly string[] }
  | { readonly known: false; readonly issue: Issue };

export function checkReferences(scope: Scope): readonly Issue[] {
  const producers = producersOf(scope);
  const targets = new Set(scope.steps.flatMap((step) => step.planning?.target ?? []));
  return eachStep(scope, (step, at) => {
    const converges = step.convergence !== undefined || targets.has(step.name);
    return usesOf(step).uses.flatMap((use) =>
      findingsOf(use, targetOf(use, { scope, producers, step, converges }), at),
    );
  });
}

/** The template's own `output`, which sees every step. */
export function checkOutputReferences(scope: Scope, output: Json | undefined): readonly Issue[] {
  if (output === undefined) return [];
  const producers = producersOf(scope);
  return usesOfValue(output, ['output'], 'output').uses.flatMap((use) =>
    findingsOf(use, targetOf(use, { scope, producers, step: undefined, converges: false }), []),
  );
}

export interface Sight {
  readonly scope: Scope;
  readonly producers: Producers;
  /** Absent: the template's output. */
  readonly step: StepSpec | undefined;
  readonly converges: boolean;
}

export function targetOf({ root, path }: Reference, sight: Sight): Target {
  switch (root) {
    case 'input':
      return found(sight.scope.input, path, false);
    case 'run':
      return found(runValue, path, false);
    case 'convergence':
      return sight.converges
        ? found(convergenceValue, path, false)
        : unknown('nothing converges at this step', 'only a convergence target or a deferred step has "convergence"');
    case 'item':
      return unknown('there is no item here', 'only the step inside a fan_out has "item"');
    case 'depends':
      return dependencyTarget(path, sight);
    case 'results':
      return resultTarget(path, sight);
  }
}

function dependencyTarget([name, ...rest]: readonly string[], sight: Sight): Target {
  const { step, converges, producers } = sight;
  // A convergence step sees all that comes together at it, under full ids.
  if (name === undefined || converges) return found(undefined, [], false);
  if (step === undefined) return unknown('the output of a run depends on nothing', 'refer to "results" instead');
  if (step.dependencies.includes(name)) return produced(producers.get(name), rest);
  const hint = didYouMean(name, step.dependencies) ?? `add it to the dependencies, or refer to results.${name}`;
  return unknown(`"${name}" is not a dependency of "${step.name}"`, hint);
}

function resultTarget([name, ...rest]: readonly string[], { producers, step }: Sight): Target {
  if (name === undefined) return found(undefined, [], false);
  const producer = producers.get(name);
  if (producer !== undefined) return produced(producer, rest);
  const others = producers.names().filter((each) => each !== step?.name);
  return unknown(`no step "${name}" whose result could be referred to`, didYouMean(name, others));
}

function produced(producer: Producer | undefined, path: readonly string[]): Target {
  return found(producer?.schema, path, producer?.optional ?? false);
}

function found(schema: JsonObject | undefined, path: readonly string[], optional: boolean): Target {
  return { known: true, ...(schema === undefined ? {} : { schema }), path, optional };
}

function unknown(message: string, hint: string | undefined): Target {
  return { known: false, issue: issue('REFERENCE_UNKNOWN', message, { hint }) };
}

function findingsOf(use: Use, target: Target, stepAt: readonly PathPart[]): readonly Issue[] {
  const path = [...stepAt, ...use.at];
  const place = use.place === undefined ? {} : { place: use.place };
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
      hint: didYouMean(name, known) ?? (known.length === 0 ? undefined : `it has ${known.join(', ')}`),
    }),
  ];
}
