// The print of an MCP tool: everything that its server says about it, as digests, with the texts that people read beside them.
import { type Digest, digestOf } from '../../base/digest.ts';
import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';

/** The fields of a server's tool on which planners, policies and contracts depend. */
export const toolFields = ['title', 'description', 'annotations', 'input', 'output'] as const;

export type ToolField = (typeof toolFields)[number];

/** Digests of the parts of a map, by name. */
export type PartDigests = Readonly<Record<string, Digest>>;

export interface ToolFingerprint {
  /** The digest of each field that the server gives. */
  readonly digests: Readonly<Partial<Record<ToolField, Digest>>>;
  readonly title?: string;
  readonly description?: string;
  readonly annotations?: JsonObject;
  /** The digest of each argument. */
  readonly input?: PartDigests;
  /** The digest of each key of the result. */
  readonly output?: PartDigests;
}

/** Tools of a server by the names that it gives them. */
export type ToolFingerprints = Readonly<Record<string, ToolFingerprint>>;

/** Where the protocol says each field. */
const keys: Readonly<Record<ToolField, string>> = {
  title: 'title',
  description: 'description',
  annotations: 'annotations',
  input: 'inputSchema',
  output: 'outputSchema',
};

/** The tools of a listing by name; a tool without a name is left out, and of two with one name the first counts. */
export function toolsByName(listed: readonly Json[]): ReadonlyMap<string, JsonObject> {
  const tools = new Map<string, JsonObject>();
  for (const tool of listed) {
    const name = ownProperty(tool, 'name');
    if (isJsonObject(tool) && typeof name === 'string' && name !== '' && !tools.has(name)) tools.set(name, tool);
  }
  return tools;
}

export function fingerprintOf(tool: JsonObject): ToolFingerprint {
  const digests = toolFields.flatMap((field) => {
    const said = fieldOf(tool, field);
    return said === undefined ? [] : [[field, digestOf(said)] as const];
  });
  const { title, description, annotations } = tool;
  const [input, output] = [partDigests(tool, 'input'), partDigests(tool, 'output')];
  return {
    digests: Object.fromEntries(digests),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(isJsonObject(annotations) ? { annotations } : {}),
    ...defined({ input, output }),
  };
}

export function fingerprintsOf(listed: readonly Json[]): ToolFingerprints {
  return Object.fromEntries([...toolsByName(listed)].map(([name, tool]) => [name, fingerprintOf(tool)]));
}

/** Undefined where the server says nothing. */
export function fieldOf(tool: JsonObject, field: ToolField): Json | undefined {
  return ownProperty(tool, keys[field]) ?? undefined;
}

/** The arguments that a schema declares, or the keys of a result. */
export function partsOf(tool: JsonObject, field: 'input' | 'output'): JsonObject {
  const properties = ownProperty(fieldOf(tool, field), 'properties');
  return isJsonObject(properties) ? properties : {};
}

function partDigests(tool: JsonObject, field: 'input' | 'output'): PartDigests | undefined {
  const parts = Object.entries(partsOf(tool, field));
  if (parts.length === 0) return undefined;
  return Object.fromEntries(parts.map(([name, schema]) => [name, digestOf(schema)]));
}

/** Tells what a server says about a tool now from everything else that it may say. */
export function digestOfFingerprint({ digests }: ToolFingerprint): Digest {
  return digestOf(toolFields.map((field) => digests[field] ?? null));
}
