// Keys of a composition: a sequence of calls that forms one capability with its own contracts.
import { isJsonArray, type Json, ownProperty } from '../../base/json.ts';
import { type KeyValues, keyOf } from './key.ts';
import { anything, contract, list, map, openMap, text, textLike } from './kinds.ts';

/** The name of a capability that a template or a plan defines. */
export function capabilityName(description: string, example: string) {
  return textLike('^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$', 'lower-case words joined by dots', description, example);
}

const callKeys = {
  name: text(
    'The name by which later calls refer to this call; when absent, `csv_read` for a call of `csv.read`.',
    'rows',
  ),
  call: text('The capability: of the catalog, or granted by this template.', 'csv.read'),
  input: openMap('The input of the call; may refer to `input` and `results`.', {
    path: '{{ input.path }}',
  }).orElse({}),
};

export interface CompositionStep {
  readonly name: string;
  /** The name of the capability. */
  readonly call: string;
  /** May refer to `input`, and to `results` of earlier calls. */
  readonly input: Json;
}

const compositionKeys = {
  name: capabilityName('The name of the capability.', 'sales.total'),
  description: text('The purpose of the capability, in one sentence, for planners and people.').orElse(''),
  input: keyOf<Json>(contract('The contract of its input.').schema, (written) => written),
  output: keyOf<Json>(contract('The contract of its result.').schema, (written) => written),
  steps: list(
    'The calls in order. Only the last call may change something outside the run.',
    map('A call.', callKeys, ['call']).to(({ name, call, input }): CompositionStep | undefined =>
      call === undefined ? undefined : { name: name ?? call.replaceAll(/[^a-z0-9]/gi, '_').toLowerCase(), call, input },
    ),
  ),
  result: anything('The result of the composition, with references; when absent, the result of the last call.', {
    total: '{{ results.sums.groups.0.total }}',
  }),
};

/** Contracts stay as written. Without `result`, the composition returns the result of its last call. */
export type CompositionSpec = Omit<KeyValues<typeof compositionKeys>, 'name' | 'steps'> & {
  readonly name: string;
  readonly steps: readonly CompositionStep[];
};

export const composition = map('A sequence of calls that forms one capability.', compositionKeys, [
  'name',
  'description',
  'steps',
]);

/** Undefined when the schema refuses the value. */
export function readComposition(written: Json | undefined): CompositionSpec | undefined {
  const read = composition.read(written, []);
  if (read?.name === undefined || read.steps === undefined) return undefined;
  const { name, steps } = read;
  const calls = ownProperty(written, 'steps');
  return isJsonArray(calls) && calls.length === steps.length ? { ...read, name, steps } : undefined;
}

/** The result of a composition as an author could write it. */
export function resultOfComposition({ result, steps }: CompositionSpec): Json {
  const last = steps.at(-1);
  return result ?? (last === undefined ? null : `{{ results.${last.name} }}`);
}
