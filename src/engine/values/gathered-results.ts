// The input of a synthesis gate: the results of its dependencies by name, and the dependencies without a result.
import type { Json, JsonObject } from '../../base/json.ts';
import type { EventOf } from '../record/event.schema.ts';
import { valueIn } from '../record/stored-value.ts';
import type { Batch } from '../state/batch.ts';
import type { RunState, Step } from '../state/state.ts';
import { dependenciesOf } from './bindings.ts';

export interface Gathered {
  readonly present: readonly (readonly [name: string, step: Step])[];
  /** `{step, reason}` for each dependency without a result. */
  readonly absent: readonly JsonObject[];
}

type Given = JsonObject & { readonly results: JsonObject; readonly absent: readonly JsonObject[] };

/** Leaves out superseded steps, and planning steps that brought their phase. */
export function gatheredFor(state: RunState, step: Step): Gathered {
  const counted = dependenciesOf(state, step).filter(([, each]) => !isReplaced(each) && !hasPlanned(each));
  return {
    present: counted.filter(([, { result }]) => result !== undefined),
    absent: counted.flatMap(([name, { result, skipped, status }]) =>
      result === undefined ? [{ step: name, reason: skipped ?? status }] : [],
    ),
  };
}

/** `{results, absent}`: the gate's input unless the step states one. */
export function givenTo({ state, values }: Pick<Batch, 'state' | 'values'>, step: Step): Json {
  return asGiven(gatheredFor(state, step), values);
}

export function asGiven({ present, absent }: Gathered, values: Batch['values']): Given {
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
