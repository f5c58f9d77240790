// Maps named arguments of a call to its contract, and reports words and values that the call does not use.
import { type Issue, issue } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { propertiesOf } from '../../contract/schema.ts';
import { mapArguments } from '../arguments/map-arguments.ts';
import { propertyFor } from '../arguments/property-name.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import type { Task } from '../split/task.ts';
import { isReading } from './is-reading.ts';

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

interface Stray {
  readonly name: string;
  readonly value: Json;
  readonly message: string;
}

interface Tie extends Stray {
  readonly meant: readonly string[];
}

interface Misfit {
  readonly property: string;
  readonly expected: string;
  readonly message: string;
}

/** References to results are passed on without a check. */
export function namedArguments(given: JsonObject, contract: JsonObject): NamedArguments {
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

interface CallArguments {
  readonly line: CapabilityLine;
  readonly task: Task;
  /** Arguments from the decomposition. */
  readonly given: Pick<NamedArguments, 'strays' | 'misfits'>;
  /** Arguments named in the goal, such as `state: open`. */
  readonly named: Pick<NamedArguments, 'strays' | 'misfits'>;
  readonly within: { readonly left: readonly string[] };
  /** Unnamed values of the task that no property took. */
  readonly left: readonly Json[];
  /** The call's arguments. */
  readonly input: JsonObject;
}

/** An unused argument is an error for a call that changes something, and a warning for a call that reads. */
export function unusedArguments({ line, given, named, within, left, input }: CallArguments): readonly Issue[] {
  const { name } = line;
  const severity = isReading(line) ? 'warning' : 'error';
  const used = leavesOf([input]);
  const isUsed = (value: Json): boolean =>
    used.has(value) || [...used].some((each) => typeof each === 'string' && each.includes(String(value)));
  const strays = [...given.strays, ...named.strays].filter(({ value }) => !isUsed(value));
  const properties = Object.keys(propertiesOf(line.input ?? {}));
  const hint = properties.length === 0 ? 'leave it out' : `leave it out, or name one of ${properties.join(', ')}`;
  const phrases = within.left.map((says) =>
    issue('ARGUMENT_UNUSED', `${name} takes nothing for "${says}"`, { severity, hint }),
  );
  const inPhrase = (value: Json): boolean => within.left.some((says) => says.includes(String(value)));
  const stray = new Set(strays.map(({ value }) => value));
  const values = left.filter((value) => !isUsed(value) && !inPhrase(value) && !stray.has(value));
  return [
    ...strays.map(({ name: said, message }) =>
      issue('ARGUMENT_UNKNOWN', `${name} does not take "${said}": ${message}`, { severity, hint }),
    ),
    ...given.misfits
      .filter(({ property }) => !Object.hasOwn(input, property))
      .map(({ property, expected }) =>
        issue('ARGUMENT_MISFIT', `${name} is given a "${property}" that is not ${expected}`, {
          severity,
          hint: `write ${expected}`,
        }),
      ),
    ...phrases,
    ...values.map((value) =>
      issue('ARGUMENT_UNUSED', `${name} takes nothing for ${JSON.stringify(value)}`, { severity: 'warning', hint }),
    ),
  ];
}

/** A note for a value that a property took under another name. */
export function takenNote({ name, value }: Stray, input: JsonObject): readonly string[] {
  const property = Object.keys(input).find((each) => input[each] === value);
  return property === undefined ? [] : [`"${name}" is taken for "${property}"`];
}

/** All scalars inside the values. */
export function leavesOf(values: readonly Json[]): ReadonlySet<Json> {
  return new Set(
    values.flatMap((value): readonly Json[] => {
      if (isJsonArray(value)) return [...leavesOf(value)];
      return isJsonObject(value) ? [...leavesOf(Object.values(value))] : [value];
    }),
  );
}
