// The key `capabilities`: the catalog, modules, MCP servers, compositions and templates. Loaded with a template, and again for a resumed run.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { isolationIssues } from '../../contract/isolation.ts';
import { childBudget } from './budget.ts';
import { type CompositionSpec, capabilityName, composition, readComposition } from './composition.ts';
import { type KeyValues, unread } from './key.ts';
import { choice, list, map, size, text } from './kinds.ts';
import { type McpServer, mcpServer, readMcpServer } from './mcp-server.ts';

const templateKeys = {
  file: text('Its path, relative to this template.', './sub.yaml'),
  name: capabilityName('What it is called; its own name unless given.', 'audit.one'),
  description: text('What it is for, for planners and people; its own description unless given.'),
  budget: childBudget,
};

/** A template whose runs are called like a capability. `file` is as written, relative to the template that names it. */
export type TemplateSource = Omit<KeyValues<typeof templateKeys>, 'file'> & { readonly file: string };

const childTemplate = map(
  'A template whose runs are called like a capability: what it takes and answers is what its own `input` and `output` say. The path alone, or with the rest.',
  templateKeys,
  ['file'],
)
  .to(({ file, ...more }): TemplateSource | undefined => (file === undefined ? undefined : { file, ...more }))
  .orShort(
    {
      type: ['string', 'object'],
      'x-expects': 'the path of a template, or { file, name, description, budget }',
    },
    (written): TemplateSource | undefined => (typeof written === 'string' ? { file: written } : undefined),
  );

const moduleKeys = {
  file: text('Its path, relative to this template.', './handlers.ts'),
  isolate: choice('`thread`: each call runs in a thread of its own, which its timeout terminates.', ['thread']),
  memory: size('With `isolate`: how much memory a thread may take, at least 64M.')
    .shows('512M')
    .with({ examples: ['1G'] }),
};

/** A module whose capabilities all run in threads of their own; `memory` is the bytes that one thread may take. */
export type ModuleSource = Pick<KeyValues<typeof moduleKeys>, 'memory'> & {
  readonly file: string;
  readonly isolate: 'thread';
};

/** A module that is not isolated is named by its path alone. */
const module = map('A module that exports capabilities. The path alone, or with the rest.', moduleKeys, ['file'])
  .to(({ file, isolate, memory }): string | ModuleSource | undefined =>
    file === undefined || isolate === undefined ? file : { file, isolate, ...defined({ memory }) },
  )
  .orShort(
    { type: ['string', 'object'], 'x-expects': 'the path of a module, or { file, isolate, memory }' },
    (written) => (typeof written === 'string' ? written : undefined),
  );

/** `catalog` or one of its capabilities by name, the path of a module relative to the template, a server, a composition, or a template. */
export type CapabilitySource =
  | string
  | { readonly module: ModuleSource }
  | { readonly mcp: McpServer }
  | { readonly compose: CompositionSpec }
  | { readonly template: TemplateSource };

export const capabilities = unread(
  list(
    'What the template grants: the built-in catalog or some of it by name, modules that export capabilities, MCP servers, compositions, other templates.',
    map('A part of what the template grants.', {
      module,
      mcp: mcpServer,
      compose: composition,
      template: childTemplate,
    }).with({
      type: ['string', 'object'],
      'x-expects': 'catalog, the path of a module, or { module }, { mcp }, { compose } or { template }',
    }),
    ['catalog', './handlers.ts'],
  ).schema,
);

export function nameOfSource(source: CapabilitySource): string {
  if (typeof source === 'string') return source;
  if ('module' in source) return source.module.file;
  if ('template' in source) return source.template.name ?? source.template.file;
  return 'mcp' in source ? source.mcp.name : source.compose.name;
}

/** Undefined where the schema refuses it. */
export function readTemplateSource(written: Json | undefined): TemplateSource | undefined {
  return childTemplate.read(written, []);
}

/** Undefined where the schema refuses it. */
export function readModuleSource(written: Json | undefined): string | ModuleSource | undefined {
  return module.read(written, []);
}

/** Skips entries that other stages refuse. The first of two servers with one name counts. */
export function readSources(raw: JsonObject): readonly CapabilitySource[] {
  const { capabilities } = raw;
  const servers = new Set<string>();
  return (isJsonArray(capabilities) ? capabilities : [capabilities]).flatMap((each): CapabilitySource[] => {
    if (typeof each === 'string') return [each];
    const module = readModuleSource(ownProperty(each, 'module'));
    if (module !== undefined) return [typeof module === 'string' ? module : { module }];
    const compose = readComposition(ownProperty(each, 'compose'));
    if (compose !== undefined) return [{ compose }];
    const template = readTemplateSource(ownProperty(each, 'template'));
    if (template !== undefined) return [{ template }];
    const mcp = readMcpServer(ownProperty(each, 'mcp'));
    if (mcp === undefined || servers.has(mcp.name)) return [];
    servers.add(mcp.name);
    return [{ mcp }];
  });
}

/** Issues: MCP_SERVER_DUPLICATE, REFERENCE_NOT_ALLOWED, ISOLATION_INVALID. */
export function checkSources(raw: JsonObject): readonly Issue[] {
  const { capabilities } = raw;
  const servers = new Set<string>();
  return (isJsonArray(capabilities) ? capabilities : []).flatMap((each, index) => {
    const module = ownProperty(each, 'module');
    if (isJsonObject(module)) return isolationIssuesOf(module, ['capabilities', index, 'module']);
    const written = ownProperty(each, 'mcp');
    const mcp = readMcpServer(written);
    if (mcp === undefined) return [];
    const path = ['capabilities', index, 'mcp'];
    const again = servers.has(mcp.name);
    servers.add(mcp.name);
    return [
      ...(again
        ? [
            issue('MCP_SERVER_DUPLICATE', `two MCP servers are named "${mcp.name}"`, {
              path: [...path, 'name'],
              hint: 'rename one: its tools are called by its name',
            }),
          ]
        : []),
      ...(JSON.stringify(written).includes('{{')
        ? [
            issue('REFERENCE_NOT_ALLOWED', 'a server is asked for its tools before there is a run to refer to', {
              path,
              hint: 'use ${env.NAME}, or ${secret.NAME} for what must not be seen',
            }),
          ]
        : []),
    ];
  });
}

/** The schema has said already what is no isolation. */
function isolationIssuesOf(module: JsonObject, path: readonly PathPart[]): readonly Issue[] {
  const { file, isolate, memory } = module;
  if (typeof file !== 'string' || (isolate !== undefined && isolate !== 'thread')) return [];
  const found = isolationIssues(`"${file}"`, { isolate, memory });
  return found.map((each) => ({ ...each, path: [...path, ...each.path] }));
}
