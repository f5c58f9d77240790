// Finds the target of a reference, and its contract.
import { type Issue, issue } from '../../base/issue.ts';
import { defined, type JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { around, schemaAt } from '../../contract/path.ts';
import { parseText, type Reference } from '../references.ts';
import type { Producer, Producers, Scope } from '../scope.ts';
import type { FanOutSpec, StepSpec } from '../step-spec.ts';
import { mayBeDropped } from './branches.ts';
import { convergenceValue, runValue } from './producers.ts';

/** The target of a reference; without `schema` the value may be anything. */
export type ReferenceTarget =
  | { readonly known: true; readonly schema?: JsonObject; readonly optional: boolean; readonly path: readonly string[] }
  | { readonly known: false; readonly issue: Issue };

export interface ReferenceOrigin {
  readonly scope: Scope;
  readonly producers: Producers;
  /** The step that has the reference; absent for the template's output. */
  readonly step: StepSpec | undefined;
  readonly converges: boolean;
  /** The fan-out of an item step, which has the dependencies. */
  readonly fanOut?: StepSpec | undefined;
  /** The contract of `item`; absent outside fan-outs. */
  readonly item?: { readonly schema: JsonObject | undefined };
}

/** The origin of references in an item step. */
export function originOfItem(origin: ReferenceOrigin, fanOut: FanOutSpec): ReferenceOrigin {
  return {
    ...origin,
    step: fanOut.do,
    fanOut: origin.step,
    converges: false,
    item: { schema: itemOf(fanOut, origin) },
  };
}

/** The contract of an item; known only when the list is a reference to a value with a contract. */
function itemOf({ forEach, batchSize }: FanOutSpec, origin: ReferenceOrigin): JsonObject | undefined {
  if (typeof forEach !== 'string') return undefined;
  const [only, another] = parseText(forEach).parts;
  if (only === undefined || typeof only === 'string' || another !== undefined) return undefined;
  const target = targetOf(only, origin);
  const list = target.known && target.schema !== undefined ? schemaAt(target.schema, target.path) : 'unknown';
  if (typeof list === 'string' || list.prefixItems !== undefined) return undefined;
  const item = schemaAt(list, [0]);
  if (typeof item === 'string') return undefined;
  return batchSize === undefined ? item : around(item, (items) => ({ type: 'array', items }));
}

export function targetOf({ root, path }: Reference, origin: ReferenceOrigin): ReferenceTarget {
  switch (root) {
    case 'input':
      return found(origin.scope.input, path, false);
    case 'run':
      return found(runValue, path, false);
    case 'convergence':
      return origin.converges
        ? found(convergenceValue, path, false)
        : unknown(
            'no branches converge at this step',
            'only a convergence target or a deferred step has "convergence"',
          );
    case 'item':
      return origin.item === undefined
        ? unknown('there is no item here', 'only the step under "do" of a fan_out has "item"')
        : found(origin.item.schema, path, false);
    case 'summary':
      return origin.step === undefined || origin.step.type === 'planning'
        ? unknown(
            'there is no summary here',
            'move it to a step that does work: planning steps get no summary through references',
          )
        : found(undefined, [], false);
    case 'depends':
      return dependencyTarget(path, origin);
    case 'results':
      return resultTarget(path, origin);
  }
}

function dependencyTarget([name, ...rest]: readonly string[], origin: ReferenceOrigin): ReferenceTarget {
  const { step, converges, producers } = origin;
  // A convergence step sees all results that converge at it, by full ids.
  if (name === undefined || converges) return found(undefined, [], false);
  if (step === undefined) return unknown('the output of a run has no dependencies', 'refer to "results" instead');
  if (step.dependencies.includes(name))
    return produced(producers.get(name), rest, mayBeDropped(origin.scope, step, name));
  const hint = didYouMean(name, step.dependencies) ?? `add it to the dependencies, or refer to results.${name}`;
  return unknown(`"${name}" is not a dependency of "${step.name}"`, hint);
}

function resultTarget(
  [name, ...rest]: readonly string[],
  { scope, producers, step, fanOut }: ReferenceOrigin,
): ReferenceTarget {
  if (name === undefined) return found(undefined, [], false);
  const producer = producers.get(name);
  if (producer !== undefined) return produced(producer, rest, mayBeDropped(scope, fanOut ?? step, name));
  const others = producers.names().filter((each) => each !== step?.name);
  return unknown(`no step "${name}" with a result to refer to`, didYouMean(name, others));
}

function produced(producer: Producer | undefined, path: readonly string[], dropped: boolean): ReferenceTarget {
  return found(producer?.schema, path, dropped || (producer?.optional ?? false));
}

function found(schema: JsonObject | undefined, path: readonly string[], optional: boolean): ReferenceTarget {
  return { known: true, ...defined({ schema }), path, optional };
}

function unknown(message: string, hint: string | undefined): ReferenceTarget {
  return { known: false, issue: issue('REFERENCE_UNKNOWN', message, { hint }) };
}
