// What is given for a call by names, on the properties of its contract; and what the contract does not take as it is.
import type { Json, JsonObject } from '../../base/json.ts';
import { mapArguments } from '../arguments/map-arguments.ts';
import { propertyFor } from '../arguments/property-name.ts';

interface Said {
  readonly input: JsonObject;
  /** What no property takes by its name. */
  readonly strays: readonly Stray[];
  /** A name that several properties may be meant by. */
  readonly ties: readonly Tie[];
  /** A value that its property does not take. */
  readonly misfits: readonly Misfit[];
  /** What else was found. */
  readonly notes: readonly string[];
}

export interface Stray {
  readonly name: string;
  readonly value: Json;
  readonly message: string;
}

interface Tie extends Stray {
  readonly meant: readonly string[];
}

export interface Misfit {
  readonly property: string;
  readonly expected: string;
  readonly message: string;
}

/** What refers to results is taken at its word. */
export function saidFor(given: JsonObject, contract: JsonObject): Said {
  const isReference = (value: Json): boolean => typeof value === 'string' && value.includes('{{');
  const references = Object.entries(given).flatMap(([name, value]) => {
    const property = isReference(value) ? propertyFor(name, contract) : undefined;
    return property === undefined ? [] : [[property, value] as const];
  });
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => !isReference(value)));
  const { input, findings } = mapArguments(values, contract);
  const strays: Stray[] = [];
  const ties: Tie[] = [];
  const misfits: Misfit[] = [];
  const notes: string[] = [];
  for (const found of findings) {
    const { property: name, message } = found;
    const stray = { name, value: values[name] ?? null, message };
    if (found.kind === 'unknown') strays.push(stray);
    else if (found.kind === 'several') ties.push({ ...stray, meant: found.meant });
    else if (found.kind === 'misfit') misfits.push(found);
    else notes.push(message);
  }
  return { input: { ...input, ...Object.fromEntries(references) }, strays, ties, misfits, notes };
}
