// Reads lists of tools in the formats of public data sets, and makes capabilities of them that answer with examples.
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { type Capability, defineCapability } from '../../src/capabilities/capability.ts';
import { exampleOf } from '../../src/contract/example.ts';
import { capabilityNameOf } from '../../src/contract/tool-name.ts';
import { toolCapabilities } from '../../src/runtime/api/tools.ts';

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly input?: JsonObject;
  readonly output?: JsonObject;
}

/** Undefined for a document that is no list of tools. */
export function toolsIn(document: Json): readonly ListedTool[] | undefined {
  const list = isJsonObject(document) ? document.nodes : document;
  if (!isJsonArray(list) || list.length === 0) return undefined;
  const tools = list.map(toolIn);
  return tools.every((tool) => tool !== undefined) ? tools : undefined;
}

function toolIn(entry: Json): ListedTool | undefined {
  const said = isJsonObject(entry) && isJsonObject(entry.function) ? entry.function : entry;
  if (!isJsonObject(said)) return undefined;
  const name = said.name ?? said.id;
  const description = said.description ?? said.desc;
  if (typeof name !== 'string' || typeof description !== 'string') return undefined;
  const { query_parameters: query, parameters, output_parameters: output } = said;
  const input = isJsonObject(query)
    ? fields(query)
    : isJsonArray(parameters)
      ? listed(parameters)
      : schemaOf(parameters);
  return {
    name,
    description: description.trim() === '' ? name : description,
    ...defined({
      input,
      output: isJsonObject(output) ? { ...fields(output), required: Object.keys(output) } : undefined,
    }),
  };
}

/** `{ city: { type, required } }` */
function fields(written: JsonObject): JsonObject {
  const required = Object.keys(written).filter(
    (name) => isJsonObject(written[name]) && written[name].required === true,
  );
  const properties = Object.fromEntries(Object.entries(written).map(([name, field]) => [name, typeOf(field)] as const));
  return { type: 'object', properties, required };
}

/** `[{ name: 'city', type, desc }]` */
function listed(written: readonly Json[]): JsonObject {
  const properties = written.flatMap((field) =>
    isJsonObject(field) && typeof field.name === 'string' ? [[field.name, typeOf(field)] as const] : [],
  );
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** `{ type: 'dict', properties, required }` */
function schemaOf(written: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(written) || !isJsonObject(written.properties)) return undefined;
  const { properties, required = [] } = fields(written.properties);
  return { type: 'object', properties: properties ?? {}, required: written.required ?? required };
}

const types: Readonly<Record<string, string>> = {
  string: 'string',
  str: 'string',
  integer: 'integer',
  int: 'integer',
  number: 'number',
  float: 'number',
  boolean: 'boolean',
  bool: 'boolean',
  array: 'array',
  list: 'array',
};

/** Other types may be anything. */
function typeOf(field: Json | undefined): JsonObject {
  const type = isJsonObject(field) && typeof field.type === 'string' ? types[field.type.toLowerCase()] : undefined;
  return type === undefined ? {} : { type };
}

/** Capabilities of the listed tools; those without a contract are made as programs make tools of functions. */
export function capabilitiesOf(tools: readonly ListedTool[]): readonly Capability[] {
  const unique = [...new Map(tools.map((tool) => [capabilityNameOf(tool.name), tool])).values()];
  const registry = unique
    .filter(({ input, output }) => input !== undefined || output !== undefined)
    .map(({ name, description, input, output }) =>
      defineCapability({
        name: capabilityNameOf(name),
        description,
        ...defined({ input, output }),
        effects: ['network'],
        run: (given) => (output === undefined ? { tool: name, given } : (exampleOf(output) ?? { tool: name })),
      }),
    );
  const plain = unique.filter(({ input, output }) => input === undefined && output === undefined);
  const made = toolCapabilities({
    availableTools: Object.fromEntries(plain.map(({ name, description }) => [name, description])),
    baseTools: Object.fromEntries(plain.map(({ name }) => [name, (given: JsonObject) => ({ tool: name, given })])),
    registry,
  });
  if (!made.ok) throw new Error(made.error.map(({ message }) => message).join('\n'));
  return made.value;
}
