// Issues for words and values of a task that its call does not use, so that nothing is dropped silently.
import { type Issue, issue } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { propertiesOf } from '../../contract/schema.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import type { Task } from '../split/task.ts';
import { isReading } from './is-reading.ts';
import type { Misfit, Stray } from './named-arguments.ts';

interface Given {
  readonly strays: readonly Stray[];
  readonly misfits: readonly Misfit[];
}

interface SaidForCall {
  readonly line: CapabilityLine;
  readonly task: Task;
  /** Arguments from the decomposition. */
  readonly given: Given;
  /** Arguments named in the goal, such as `state: open`. */
  readonly named: Given;
  readonly within: { readonly left: readonly string[] };
  /** Unnamed values of the task that no property took. */
  readonly left: readonly Json[];
  /** The call's arguments. */
  readonly input: JsonObject;
}

/** An unused argument is an error for a call that changes something, and a warning for a call that reads. */
export function droppedFrom({ line, given, named, within, left, input }: SaidForCall): readonly Issue[] {
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
export function takenAs({ name, value }: Stray, input: JsonObject): readonly string[] {
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
