// What somebody gave for a call, put on the properties of its contract: under their names, as the values that they want.
import type { Json, JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { kindsOf, namesAt, propertiesOf, type Schema, schemaOf } from '../../contract/schema.ts';
import { fitTo } from './fit-to.ts';
import { propertyFor } from './property-name.ts';

/** What is wrong with an argument. It may carry its value: it goes into briefs, never into issues. */
type ArgumentFinding =
  | { readonly kind: 'unknown'; readonly property: string; readonly hint?: string; readonly message: string }
  /** Two that mean the same property; the one that is written like it counts. */
  | { readonly kind: 'twice'; readonly property: string; readonly message: string }
  | {
      readonly kind: 'misfit';
      readonly property: string;
      readonly value: Json;
      readonly expected: string;
      readonly message: string;
    };

interface Mapped {
  /** Only what the contract takes. */
  readonly input: JsonObject;
  readonly findings: readonly ArgumentFinding[];
  /** Required properties that are not among it and have no default. */
  readonly missing: readonly string[];
}

/** A contract that names no properties, or says that it takes others, is handed what it does not name as it is. */
export function mapArguments(given: JsonObject, contract: Schema): Mapped {
  const properties = propertiesOf(contract);
  const names = Object.keys(properties);
  const required = namesAt(contract, 'required');
  const input = new Map<string, Json>();
  const findings: ArgumentFinding[] = [];
  // Whoever is written as the contract writes it goes before whoever is only like it.
  const ordered = Object.entries(given).sort(
    ([one], [other]) => Number(names.includes(other)) - Number(names.includes(one)),
  );
  for (const [name, value] of ordered) {
    const property = propertyFor(name, names);
    if (property === undefined) {
      if (takesOthers(contract, names)) input.set(name, value);
      else findings.push(unknown(name, names));
      continue;
    }
    if (input.has(property)) {
      findings.push({
        kind: 'twice',
        property: name,
        message: `"${name}" and "${property}" are the same argument; "${property}" counts`,
      });
      continue;
    }
    const schema = schemaOf(properties[property]);
    if (value === null && !required.includes(property) && !kindsOf(schema).has('null')) continue;
    const fitted = fitTo(value, schema, contract);
    if (fitted.ok) input.set(property, fitted.value);
    else findings.push(misfit(property, value, fitted.expected));
  }
  const missing = required.filter((name) => !input.has(name) && schemaOf(properties[name]).default === undefined);
  return { input: Object.fromEntries(input), findings, missing };
}

function takesOthers({ additionalProperties }: Schema, names: readonly string[]): boolean {
  return names.length === 0
    ? additionalProperties !== false
    : additionalProperties !== undefined && additionalProperties !== false;
}

function unknown(name: string, names: readonly string[]): ArgumentFinding {
  const hint = didYouMean(name, names);
  const known = names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`;
  return {
    kind: 'unknown',
    property: name,
    message: `there is no argument "${name}"; ${known}`,
    ...(hint === undefined ? {} : { hint }),
  };
}

const SHOWN = 80;

function misfit(property: string, value: Json, expected: string): ArgumentFinding {
  const text = JSON.stringify(value);
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return {
    kind: 'misfit',
    property,
    value,
    expected,
    message: `"${property}" is ${shown}, where it must be ${expected}`,
  };
}
