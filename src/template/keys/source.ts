// The key `capabilities`: the catalog, modules, MCP servers, compositions and child templates. Resumed runs load these sources again.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { isolationIssues } from '../../contract/isolation.ts';
import { childBudget } from './budget.ts';
import { type CompositionSpec, capabilityName, composition, readComposition } from './composition.ts';
import { type KeyValues, unread } from './key.ts';
import { choice, list, map, size, text } from './kinds.ts';
import { type McpServer, mcpServer, readMcpServer } from './mcp-server.ts';

const templateKeys = {
  file: text('The path of the child template, relative to this template.', './sub.yaml'),
  name: capabilityName('The name of the capability; when absent, the name of the child template.', 'audit.one'),
  description: text(
    'The purpose of the capability, for planners and people; when absent, the description of the child template.',
  ),
  budget: childBudget,
};

/** A child template, whose runs are called like a capability. `file` is as written, relative to the parent template. */
export type TemplateSource = Omit<KeyValues<typeof templateKeys>, 'file'> & { readonly file: string };

const childTemplate = map(
  'A child template, whose runs are called like a capability: its `input` and `output` are the contracts of the capability. A path, or a map.',
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
  file: text('The path of the module, relative to this template.', './handlers.ts'),
  isolate: choice('`thread` runs each call in its own thread, which is terminated at the timeout.', ['thread']),
  memory: size('With `isolate`: the most memory of a thread in bytes, at least 64M.')
    .shows('512M')
    .with({ examples: ['1G'] }),
};

/** A module whose calls each run in their own thread; `memory` is the most bytes of one thread. */
export type ModuleSource = Pick<KeyValues<typeof moduleKeys>, 'memory'> & {
  readonly file: string;
  readonly isolate: 'thread';
};

/** A module without isolation reads as its path. */
const module = map('A module that exports capabilities: a path, or a map.', moduleKeys, ['file'])
  .to(({ file, isolate, memory }): string | ModuleSource | undefined =>
    file === undefined || isolate === undefined ? file : { file, isolate, ...defined({ memory }) },
  )
  .orShort(
    { type: ['string', 'object'], 'x-expects': 'the path of a module, or { file, isolate, memory }' },
    (written) => (typeof written === 'string' ? written : undefined),
  );

/** A text is `catalog`, the name of a capability in the catalog, or the path of a module relative to the template. */
export type CapabilitySource =
  | string
  | { readonly module: ModuleSource }
  | { readonly mcp: McpServer }
  | { readonly compose: CompositionSpec }
  | { readonly template: TemplateSource };

export const capabilities = unread(
  list(
    'The capabilities that the template grants: the built-in catalog or single capabilities of it, modules that export capabilities, MCP servers, compositions, and child templates.',
    map('A source of capabilities.', {
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

/** Undefined when the schema refuses the value. */
export function readTemplateSource(written: Json | undefined): TemplateSource | undefined {
  return childTemplate.read(written, []);
}

/** Undefined when the schema refuses the value. */
export function readModuleSource(written: Json | undefined): string | ModuleSource | undefined {
  return module.read(written, []);
}

/** Skips entries that other stages report. The first of two servers with one name counts. */
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
              hint: 'rename one of them: the names of its tools begin with the name of the server',
            }),
          ]
        : []),
      ...(JSON.stringify(written).includes('{{')
        ? [
            issue('REFERENCE_NOT_ALLOWED', 'a server cannot have references: it lists its tools before a run exists', {
              path,
              hint: 'write ${env.NAME}, or ${secret.NAME} for secrets',
            }),
          ]
        : []),
    ];
  });
}

/** Skips values that the schema reports. */
function isolationIssuesOf(module: JsonObject, path: readonly PathPart[]): readonly Issue[] {
  const { file, isolate, memory } = module;
  if (typeof file !== 'string' || (isolate !== undefined && isolate !== 'thread')) return [];
  const found = isolationIssues(`"${file}"`, { isolate, memory });
  return found.map((each) => ({ ...each, path: [...path, ...each.path] }));
}
