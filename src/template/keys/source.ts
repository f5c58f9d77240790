// What `capabilities:` names: the catalog, modules, MCP servers, compositions, templates; loaded for a template, and again for a run that goes on.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { readSize } from '../../base/quantity.ts';
import type { Budget } from '../../budget/limits.ts';
import { isolationIssues } from '../../contract/isolation.ts';
import { readBudget } from './budget.ts';
import { type CompositionSpec, readComposition } from './composition.ts';
import { type McpServer, readMcpServer } from './mcp-server.ts';
import { defined, mapAt, quantityAt, textAt } from './readers.ts';

/** A template whose runs are called like a capability. */
export interface TemplateSource {
  /** As written, relative to the template that names it. */
  readonly file: string;
  /** Absent: after the name of that template. */
  readonly name?: string;
  readonly description?: string;
  /** What a run of it may use, where that is less than its own budget allows. */
  readonly budget?: Budget;
}

/** A module whose capabilities all run in threads of their own. */
export interface ModuleSource {
  /** As written, relative to the template that names it. */
  readonly file: string;
  readonly isolate: 'thread';
  /** Bytes that one thread may take; absent: the default. */
  readonly memory?: number;
}

/** `catalog` or one of it by name, the path of a module relative to the template, a server, a composition, or a template. */
export type CapabilitySource =
  | string
  | { readonly module: ModuleSource }
  | { readonly mcp: McpServer }
  | { readonly compose: CompositionSpec }
  | { readonly template: TemplateSource };

export function nameOfSource(source: CapabilitySource): string {
  if (typeof source === 'string') return source;
  if ('module' in source) return source.module.file;
  if ('template' in source) return source.template.name ?? source.template.file;
  return 'mcp' in source ? source.mcp.name : source.compose.name;
}

/** Undefined when it is not as the schema says. */
export function readTemplateSource(written: Json | undefined): TemplateSource | undefined {
  if (typeof written === 'string') return { file: written };
  const file = isJsonObject(written) ? textAt(written, 'file') : undefined;
  if (!isJsonObject(written) || file === undefined) return undefined;
  const budget = mapAt(written, 'budget');
  return defined<TemplateSource>({
    file,
    name: textAt(written, 'name'),
    description: textAt(written, 'description'),
    budget: budget === undefined ? undefined : readBudget(budget),
  });
}

/** A module that is not to be isolated is named by its path alone. Undefined when it is not as the schema says. */
export function readModuleSource(written: Json | undefined): string | ModuleSource | undefined {
  if (typeof written === 'string') return written;
  const file = isJsonObject(written) ? textAt(written, 'file') : undefined;
  if (!isJsonObject(written) || file === undefined || written.isolate === undefined) return file;
  return defined<ModuleSource>({ file, isolate: 'thread', memory: quantityAt(written, 'memory', readSize) });
}

/** Tolerant: what is not as it should be is an issue of other stages. Of two servers with one name the first counts. */
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
