// Narrows the schema of a template or a plan to its granted capabilities, so that editors complete their names and the keys of their inputs.
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { condition } from '../keys/kinds.ts';
import { callKeys } from '../keys/step.ts';

/** Forms that may replace any value: a text with a reference, or Lisp as JSON and YAML write it. */
const computed: JsonObject = {
  anyOf: [
    { type: 'string', pattern: '\\{\\{|[()]|\\bdata/' },
    { type: 'object', required: ['$lisp'], properties: { $lisp: { type: 'string' } }, additionalProperties: false },
  ],
};

/** With `complete`, only the granted names are valid; otherwise other names are valid too, but not completed. */
export function schemaWithCapabilities(
  schema: JsonObject,
  granted: readonly Declaration[],
  complete: boolean,
): JsonObject {
  const defs = mapAt(schema, '$defs');
  const step = mapAt(defs, 'step');
  const properties = mapAt(step, 'properties');
  const names = namesOf(granted, complete);
  const calls = Object.fromEntries(callKeys.map((key) => [key, callOf(mapAt(properties, key), names)]));
  const inputs = granted.map(inputOf).filter((each) => each !== undefined);
  return {
    ...schema,
    $defs: {
      ...defs,
      step: {
        ...step,
        properties: { ...properties, ...calls },
        allOf: [...listAt(step, 'allOf'), ...inputs],
      },
      computed,
    },
  };
}

function namesOf(granted: readonly Declaration[], complete: boolean): JsonObject {
  const known = {
    enum: granted.map(({ name }) => name),
    enumDescriptions: granted.map(({ description }) => description),
  };
  return complete ? known : { anyOf: [known, { type: 'string' }] };
}

/** The schema of a call: one of the names, or a map with one of them. */
function callOf({ type: _, required, properties, additionalProperties, ...said }: JsonObject, names: JsonObject) {
  const callable = { ...mapAt(properties, 'callable'), ...names };
  return {
    ...said,
    anyOf: [
      { type: 'string', ...names },
      {
        type: 'object',
        ...defined({ required, additionalProperties }),
        properties: { ...(isJsonObject(properties) ? properties : {}), callable },
      },
    ],
  };
}

/** Checks the input of steps that call the capability against its contract; undefined for a contract with `$ref`. */
function inputOf({ name, input }: Declaration): JsonObject | undefined {
  if (input === undefined || JSON.stringify(input).includes('"$ref"')) return undefined;
  const calling = callKeys.map((key) => ({ required: [key], properties: { [key]: { const: name } } }));
  return condition({ anyOf: calling }, { properties: { input: written(input) } });
}

const applied = ['anyOf', 'oneOf', 'allOf'];

/** The contract as authors may fill it: any value may also be computed. */
function written(schema: Json): JsonObject {
  if (!isJsonObject(schema)) return {};
  const { properties, items } = schema;
  const own: JsonObject = {
    ...schema,
    ...(isJsonObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, written(each)])) }
      : {}),
    ...defined({ items: items === undefined ? undefined : written(items) }),
    ...Object.fromEntries(
      applied.flatMap((key) => (isJsonArray(schema[key]) ? [[key, schema[key].map(written)] as const] : [])),
    ),
  };
  const { description, default: fallback, ...rest } = own;
  return { ...defined({ description, default: fallback }), anyOf: [rest, { $ref: '#/$defs/computed' }] };
}

function mapAt(value: Json | undefined, ...path: readonly string[]): JsonObject {
  const found = path.reduce<Json | undefined>((at, key) => ownProperty(at, key), value);
  return isJsonObject(found) ? found : {};
}

function listAt(value: JsonObject, key: string): readonly Json[] {
  const found = ownProperty(value, key);
  return isJsonArray(found) ? found : [];
}
