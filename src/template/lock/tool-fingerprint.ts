// The fingerprint of an MCP tool: digests of everything that its server says about it, with the texts that people read.
import { type Digest, digestOf } from '../../base/digest.ts';
import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';

/** The fields of a tool that planners, policies and contracts depend on. */
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

/** Fingerprints of a server's tools by the tool names of the server. */
export type ToolFingerprints = Readonly<Record<string, ToolFingerprint>>;

/** The key of each field in the protocol. */
const keys: Readonly<Record<ToolField, string>> = {
  title: 'title',
  description: 'description',
  annotations: 'annotations',
  input: 'inputSchema',
  output: 'outputSchema',
};

/** The listed tools by name. Skips tools without a name; the first of two tools with one name counts. */
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

/** Undefined when the server does not give the field. */
export function fieldOf(tool: JsonObject, field: ToolField): Json | undefined {
  return ownProperty(tool, keys[field]) ?? undefined;
}

/** The schemas of the arguments, or of the keys of the result. */
export function partsOf(tool: JsonObject, field: 'input' | 'output'): JsonObject {
  const properties = ownProperty(fieldOf(tool, field), 'properties');
  return isJsonObject(properties) ? properties : {};
}

function partDigests(tool: JsonObject, field: 'input' | 'output'): PartDigests | undefined {
  const parts = Object.entries(partsOf(tool, field));
  if (parts.length === 0) return undefined;
  return Object.fromEntries(parts.map(([name, schema]) => [name, digestOf(schema)]));
}

/** One digest for all fields of a tool. */
export function digestOfFingerprint({ digests }: ToolFingerprint): Digest {
  return digestOf(toolFields.map((field) => digests[field] ?? null));
}
