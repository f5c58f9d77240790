// Maps named arguments of a call to its contract, and collects those that do not fit.
import type { Json, JsonObject } from '../../base/json.ts';
import { mapArguments } from '../arguments/map-arguments.ts';
import { propertyFor } from '../arguments/property-name.ts';

export interface NamedArguments {
  readonly input: JsonObject;
  /** Arguments without a property of that name. */
  readonly strays: readonly Stray[];
  /** Names that may mean several properties. */
  readonly ties: readonly Tie[];
  /** Values that their property does not take. */
  readonly misfits: readonly Misfit[];
  /** Other findings, as text. */
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

/** References to results are passed on without a check. */
export function saidFor(given: JsonObject, contract: JsonObject): NamedArguments {
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
