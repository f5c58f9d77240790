// What whoever took a goal apart gave for a call, on the properties of its contract; and what the contract has no property for.
import type { Json, JsonObject } from '../../base/json.ts';
import { propertiesOf } from '../../contract/schema.ts';
import { mapArguments } from '../arguments/map-arguments.ts';
import { propertyFor } from '../arguments/property-name.ts';

/** What a model that has seen no contract gave under another name, where a property that needs a value took it. */
export function toldOfStray({ name, value, message }: Stray, input: JsonObject): string {
  const property = Object.keys(input).find((each) => input[each] === value);
  return property === undefined ? message : `"${name}" is taken for "${property}"`;
}

interface Stray {
  readonly name: string;
  readonly value: Json;
  readonly message: string;
}

interface Said {
  readonly input: JsonObject;
  /** What the contract has no property for. */
  readonly strays: readonly Stray[];
  readonly findings: readonly string[];
}

/** What whoever took the goal apart gave, on the properties of the contract; what refers to results is taken at its word. */
export function saidFor(given: JsonObject, contract: JsonObject): Said {
  const names = Object.keys(propertiesOf(contract));
  const isReference = (value: Json): boolean => typeof value === 'string' && value.includes('{{');
  const references = Object.entries(given).flatMap(([name, value]) => {
    const property = isReference(value) ? propertyFor(name, names) : undefined;
    return property === undefined ? [] : [[property, value] as const];
  });
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => !isReference(value)));
  const { input, findings } = mapArguments(values, contract);
  const isUnknown = ({ kind }: (typeof findings)[number]): boolean => kind === 'unknown';
  return {
    input: { ...input, ...Object.fromEntries(references) },
    strays: findings
      .filter(isUnknown)
      .map(({ property: name, message }) => ({ name, value: values[name] ?? null, message })),
    findings: findings.filter((each) => !isUnknown(each)).map(({ message }) => message),
  };
}
