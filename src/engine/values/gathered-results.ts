// Gathers the results before a step: for a synthesis gate as its input, for an agent beside its input.
import { type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { referencesOf } from '../../template/step-references.ts';
import type { EventOf } from '../record/event.schema.ts';
import { valueIn } from '../record/stored-value.ts';
import type { Batch } from '../state/batch.ts';
import type { ReadableRun, RunView } from '../state/run-view.ts';
import type { Step } from '../state/state.ts';
import { dependenciesOf } from './bindings.ts';

/** The results of a step's dependencies by name, and the dependencies without a result. */
export interface GatheredResults {
  readonly present: readonly (readonly [name: string, step: Step])[];
  /** `{step, reason}` for each dependency without a result. */
  readonly absent: readonly JsonObject[];
}

type ResultsByName = JsonObject & { readonly results: JsonObject; readonly absent: readonly JsonObject[] };

/** Leaves out superseded steps, and planning steps that brought their phase. */
export function gatherResults(state: RunView, step: Step): GatheredResults {
  const counted = dependenciesOf(state, step).filter(([, each]) => !isReplaced(each) && !hasPlanned(each));
  return {
    present: counted.filter(([, { result }]) => result !== undefined),
    absent: counted.flatMap(([name, { result, skipped, status }]) =>
      result === undefined ? [{ step: name, reason: skipped ?? status }] : [],
    ),
  };
}

/** `{results, absent}`: the input of a synthesis gate unless the step states one. */
export function synthesisInput({ state, values }: ReadableRun, step: Step): Json {
  return resultsByName(gatherResults(state, step), values);
}

export function resultsByName({ present, absent }: GatheredResults, values: Batch['values']): ResultsByName {
  const results = present.flatMap(([name, { result }]) =>
    result === undefined ? [] : [[name, valueIn(result, values) ?? null] as const],
  );
  return { results: Object.fromEntries(results), absent };
}

/** The tokens of an input and of its result. */
export function tokensOf({ countTokens }: Batch, input: Json, value: Json): EventOf<'step.completed'>['tokens'] {
  return { in: countTokens(JSON.stringify(input)), out: countTokens(JSON.stringify(value)) };
}

function isReplaced({ status, takenUp }: Step): boolean {
  return status === 'superseded' || takenUp !== undefined;
}

function hasPlanned({ spec, status }: Step): boolean {
  return spec.type === 'planning' && status === 'completed';
}

const namesThem = ['results', 'absent'];

/**
 * The results that an agent reads beside its input: those of its dependencies that the input does not name; undefined if there are none.
 * An input that names results, or the call of a capability, already says what the agent reads.
 */
export function resultsForAgent(state: RunView, step: Step): GatheredResults | undefined {
  const { agent, capability, input } = step.spec;
  if (agent === undefined || capability !== undefined || namesThem.some((key) => ownProperty(input, key) !== undefined))
    return undefined;
  const all = referencesOf(step.spec).references;
  const uses = all.filter(({ root }) => root === 'results' || root === 'depends');
  // A summary covers all results.
  if (uses.some(({ path }) => path.length === 0) || all.some(({ root }) => root === 'summary')) return undefined;
  const named = new Set(uses.map(({ path: [name] }) => name));
  const { present, absent } = gatherResults(state, step);
  const left = present.filter(([name]) => !named.has(name));
  return left.length + absent.length === 0 ? undefined : { present: left, absent };
}
