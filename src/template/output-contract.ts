// The contract of a template's result, inferred from `output` and from the contracts of its steps.
import { defined, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { around, schemaAt } from '../contract/path.ts';
import { producersOf } from './check/producers.ts';
import { type ReferenceOrigin, targetOf } from './check/reference-targets.ts';
import { isLisp, parseText } from './references.ts';
import type { Scope } from './scope.ts';
import type { Template } from './template.ts';

/** The contract is open for values of expressions. */
export function outputContractOf(template: Omit<Template, 'digest'>): JsonObject {
  const { steps, capabilities: declarations, input, output } = template;
  const outside = { get: () => undefined, names: () => [] };
  const scope: Scope = { steps, outside, declarations, ...defined({ input }) };
  const origin: ReferenceOrigin = { scope, producers: producersOf(scope), step: undefined, converges: false };
  return output === undefined ? resultsOfSinks(template, origin) : contractOfValue(output, origin);
}

function contractOfValue(value: Json, origin: ReferenceOrigin): JsonObject {
  if (isLisp(value)) return {};
  if (typeof value === 'string') return contractOfText(value, origin);
  if (Array.isArray(value)) return { type: 'array', minItems: value.length, maxItems: value.length };
  if (!isJsonObject(value)) return { const: value };
  const properties = Object.entries(value).map(([key, each]) => [key, contractOfValue(each, origin)] as const);
  return objectOf(properties, Object.keys(value));
}

/** A text that is one placeholder has the contract of the referenced value. */
function contractOfText(text: string, origin: ReferenceOrigin): JsonObject {
  const [only, another] = parseText(text).parts;
  if (only === undefined || another !== undefined || typeof only === 'string') return { type: 'string' };
  const target = targetOf(only, origin);
  const found = target.known && target.schema !== undefined ? schemaAt(target.schema, target.path) : 'unknown';
  if (typeof found === 'string') return {};
  return target.known && target.optional ? around(found, (value) => ({ anyOf: [value, { type: 'null' }] })) : found;
}

/** The contract of a run without `output`: the results of the steps without dependents, by name. */
function resultsOfSinks({ steps }: Pick<Template, 'steps'>, { producers }: ReferenceOrigin): JsonObject {
  const used = new Set(steps.flatMap(({ dependencies }) => dependencies));
  const sinks = steps.filter(({ name }) => !used.has(name)).map(({ name }) => name);
  const chooses = steps.some(({ type }) => type === 'decision');
  const properties = sinks.map((name) => [name, producers.get(name)?.schema ?? {}] as const);
  return objectOf(
    properties,
    sinks.filter((name) => !chooses && producers.get(name)?.optional !== true),
  );
}

function objectOf(properties: readonly (readonly [string, JsonObject])[], required: readonly string[]): JsonObject {
  // A schema with own `$defs` stays open, because its references would not resolve from here.
  const closed = properties.map(([name, schema]) => [name, schema.$defs === undefined ? schema : {}] as const);
  return { type: 'object', properties: Object.fromEntries(closed), required };
}
