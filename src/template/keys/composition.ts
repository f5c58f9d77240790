// Keys of a composition: calls in a row that count as one capability, with contracts of their own.
import { isJsonArray, type Json, ownProperty } from '../../base/json.ts';
import { type KeyValues, keyOf } from './key.ts';
import { anything, contract, list, map, openMap, text, textLike } from './kinds.ts';

/** The name of a capability that a document brings along. */
export function capabilityName(description: string, example: string) {
  return textLike('^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*$', 'lower-case words joined by dots', description, example);
}

const callKeys = {
  name: text('What the calls after it refer to it by; unless said, `csv_read` for a call of `csv.read`.', 'rows'),
  call: text('The capability: of the catalog, or granted here.', 'csv.read'),
  input: openMap('What it is called with; with references to `input` and `results`.', {
    path: '{{ input.path }}',
  }).orElse({}),
};

export interface CompositionStep {
  readonly name: string;
  /** The capability. */
  readonly call: string;
  /** With references to `input` and to `results` of the calls before. */
  readonly input: Json;
}

const compositionKeys = {
  name: capabilityName('What it is called.', 'sales.total'),
  description: text('What it is for, in a sentence, for planners and people.').orElse(''),
  input: keyOf<Json>(contract('What it takes.').schema, (written) => written),
  output: keyOf<Json>(contract('What it answers.').schema, (written) => written),
  steps: list(
    'The calls, in order; what one of them changes, the last one does.',
    map('A call.', callKeys, ['call']).to(({ name, call, input }): CompositionStep | undefined =>
      call === undefined ? undefined : { name: name ?? call.replaceAll(/[^a-z0-9]/gi, '_').toLowerCase(), call, input },
    ),
  ),
  result: anything('What it answers, with references; unless said, what the last call does.', {
    total: '{{ results.sums.groups.0.total }}',
  }),
};

/** Contracts are kept as they are written. Without `result`, the composition answers what its last call does. */
export type CompositionSpec = Omit<KeyValues<typeof compositionKeys>, 'name' | 'steps'> & {
  readonly name: string;
  readonly steps: readonly CompositionStep[];
};

export const composition = map('Calls in a row that count as one capability.', compositionKeys, [
  'name',
  'description',
  'steps',
]);

/** Undefined where the schema refuses it. */
export function readComposition(written: Json | undefined): CompositionSpec | undefined {
  const read = composition.read(written, []);
  if (read?.name === undefined || read.steps === undefined) return undefined;
  const { name, steps } = read;
  const calls = ownProperty(written, 'steps');
  return isJsonArray(calls) && calls.length === steps.length ? { ...read, name, steps } : undefined;
}

/** The result of a composition, written out. */
export function resultOfComposition({ result, steps }: CompositionSpec): Json {
  const last = steps.at(-1);
  return result ?? (last === undefined ? null : `{{ results.${last.name} }}`);
}
