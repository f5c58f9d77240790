// Maps given arguments to the properties of a contract, by name and with fitting values.
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { kindsOf, namesAt, propertiesOf, type Schema, schemaOf } from '../../contract/schema.ts';
import { fitTo } from './fit-value.ts';
import { propertiesMeant, propertyFor } from './property-name.ts';

/** A problem with one argument. Findings may hold values, so they go into briefs and never into issues. */
type ArgumentFinding =
  | { readonly kind: 'unknown'; readonly property: string; readonly hint?: string; readonly message: string }
  /** The name may mean several properties, and none is guessed. */
  | { readonly kind: 'several'; readonly property: string; readonly meant: readonly string[]; readonly message: string }
  /** Two names mean the same property; the exact name wins. */
  | { readonly kind: 'twice'; readonly property: string; readonly message: string }
  | {
      readonly kind: 'misfit';
      readonly property: string;
      readonly value: Json;
      readonly expected: string;
      readonly message: string;
    };

interface ArgumentMapping {
  /** Only arguments that the contract takes. */
  readonly input: JsonObject;
  readonly findings: readonly ArgumentFinding[];
  /** Required properties without a value and without a default. */
  readonly missing: readonly string[];
}

/** Unknown names pass through unchanged when the contract names no properties or allows additional ones. */
export function mapArguments(given: JsonObject, contract: Schema): ArgumentMapping {
  const properties = propertiesOf(contract);
  const names = Object.keys(properties);
  const required = namesAt(contract, 'required');
  const input = new Map<string, Json>();
  const findings: ArgumentFinding[] = [];
  // Exact names claim their property before similar names.
  const ordered = Object.entries(given).sort(
    ([one], [other]) => Number(names.includes(other)) - Number(names.includes(one)),
  );
  for (const [name, value] of ordered) {
    const [property, ...others] = freeOf(propertiesMeant(name, contract, value), input);
    if (property === undefined) {
      if (takesOthers(contract, names)) input.set(name, value);
      else findings.push(unknown(name, names));
      continue;
    }
    if (others.length > 0) {
      findings.push(several(name, [property, ...others]));
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
    const fitted = fitTo(value, schema, contract, property);
    if (fitted.ok) input.set(property, fitted.value);
    else findings.push(misfit(property, value, fitted.error));
  }
  const whole = withOwner(Object.fromEntries(input), contract);
  const missing = required.filter(
    (name) => !Object.hasOwn(whole, name) && schemaOf(properties[name]).default === undefined,
  );
  return { input: whole, findings, missing };
}

/** The possible properties without a value, or the first one when all have values. */
function freeOf(meant: readonly string[], input: ReadonlyMap<string, Json>): readonly string[] {
  const free = meant.filter((name) => !input.has(name));
  return free.length === 0 ? meant.slice(0, 1) : free;
}

/** Splits `acme/site` into owner `acme` and repository `site` when the contract has both. */
export function withOwner(input: JsonObject, contract: Schema): JsonObject {
  const [owner, repo] = [propertyFor('owner', contract), propertyFor('repository', contract)];
  if (owner === undefined || repo === undefined || owner === repo || Object.hasOwn(input, owner)) return input;
  const said = input[repo];
  const [, first, second] = typeof said === 'string' ? (OWNED.exec(said) ?? []) : [];
  return first === undefined || second === undefined ? input : { ...input, [owner]: first, [repo]: second };
}

const OWNED = /^@?([\p{L}\p{N}_.-]+)\/([\p{L}\p{N}_.-]+)$/u;

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
    ...defined({ hint }),
  };
}

function several(name: string, meant: readonly string[]): ArgumentFinding {
  return { kind: 'several', property: name, meant, message: `"${name}" may mean ${meant.join(' or ')}; say which` };
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
