// A composition: calls in a row that count as one capability, with contracts of their own.
import { defined, isJsonObject, type Json } from '../../base/json.ts';
import { mapAt, textAt } from './readers.ts';

export interface CompositionStep {
  /** What the others refer to it by. */
  readonly name: string;
  /** The capability. */
  readonly call: string;
  /** With references to `input` and to `results` of the calls before. */
  readonly input: Json;
}

export interface CompositionSpec {
  readonly name: string;
  readonly description: string;
  /** As written: a JSON Schema or a signature; absent: anything. */
  readonly input?: Json;
  readonly output?: Json;
  readonly steps: readonly CompositionStep[];
  /** What it answers, with references; absent: what its last call does. */
  readonly result?: Json;
}

/** Undefined when it is not as the schema says. */
export function readComposition(written: Json | undefined): CompositionSpec | undefined {
  if (!isJsonObject(written)) return undefined;
  const name = textAt(written, 'name');
  const { steps, input, output, result } = written;
  if (name === undefined || !Array.isArray(steps)) return undefined;
  const read = steps.map((each: Json) => stepIn(each));
  if (read.includes(undefined)) return undefined;
  return {
    name,
    description: textAt(written, 'description') ?? '',
    ...defined({ input, output }),
    steps: read.filter((each) => each !== undefined),
    ...defined({ result }),
  };
}

/** `csv_read` where a call of `csv.read` is given no name. */
function stepIn(written: Json): CompositionStep | undefined {
  if (!isJsonObject(written)) return undefined;
  const call = textAt(written, 'call');
  if (call === undefined) return undefined;
  const name = textAt(written, 'name') ?? call.replaceAll(/[^a-z0-9]/gi, '_').toLowerCase();
  return { name, call, input: mapAt(written, 'input') ?? {} };
}

/** What it answers, written out. */
export function resultOfComposition({ result, steps }: CompositionSpec): Json {
  const last = steps.at(-1);
  return result ?? (last === undefined ? null : `{{ results.${last.name} }}`);
}
