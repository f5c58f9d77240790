// Loads a template for commands that run nothing; MCP servers are contacted only on request.
import type { Issue } from '../base/issue.ts';
import type { JsonObject } from '../base/json.ts';
import { good, type Result } from '../base/result.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { LoadedTemplate, LoadSettings } from '../runtime/load/load-file.ts';
import type { Template } from '../template/template.ts';
import type { Flag, ParsedArguments } from './command.ts';
import { localStore } from './store-file.ts';
import { UsageError } from './usage-error.ts';

/** The flag of commands that inspect a template. */
export const liveFlag: Flag = {
  name: '--live',
  description: 'Start the MCP servers of the template and list their tools, instead of using the cached lists.',
};

/** The flag of commands that check a template they must not trust. */
export const untrustedFlag: Flag = {
  name: '--untrusted',
  description:
    'Check the template of a stranger: load no module, start no program, read and quote no file outside its folder. List everything that is not checked.',
};

/** The flag of commands that read a template. */
export const environmentFlag: Flag = {
  name: '--environment <name>',
  description: 'The environment of the template to use.',
};

/** The `info` findings that `--untrusted` adds, for answers that hold no other issues. */
export function notCheckedIn(given: ParsedArguments, warnings: readonly Issue[]): readonly Issue[] {
  return given.has('untrusted') ? warnings.filter(({ code }) => code === 'NOT_CHECKED') : [];
}

/** Takes a file or the document itself. Paths are relative to the working directory. `--live` starts the MCP servers of the template and lists their tools. */
export async function loadTemplate(given: ParsedArguments, template: string | JsonObject): Promise<Result<Template>> {
  const loaded = await loadWhole(given, template);
  return loaded.ok ? { ...loaded, value: loaded.value.template } : loaded;
}

/** Loads the template together with the capabilities it grants. */
export async function loadWhole(
  given: ParsedArguments,
  template: string | JsonObject,
): Promise<Result<LoadedTemplate>> {
  return withSettings(given, (settings) => load(template, settings));
}

/** The capabilities that a template grants, sorted by name, even if other parts of the template are wrong. */
export async function loadDeclarations(
  given: ParsedArguments,
  template: string,
): Promise<Result<readonly Declaration[]>> {
  const { loadGranted } = await import('../runtime/load/load-file.ts');
  const registry = await withSettings(given, (settings) => loadGranted(template, process.cwd(), settings));
  return registry.ok ? good(Object.values(registry.value.declarations()), registry.warnings) : registry;
}

async function withSettings<T>(given: ParsedArguments, work: (settings: LoadSettings) => Promise<T>): Promise<T> {
  const { listingsBeside } = await import('../store/store-files.ts');
  const cache = listingsBeside(localStore(given));
  const environment = given.text('environment');
  if (given.has('untrusted')) {
    if (given.has('live')) throw new UsageError('--untrusted starts no server, and --live does: leave one out');
    return work({ own: [], tools: async () => good([]), environment, untrusted: true });
  }
  if (given.has('live')) {
    const { listedBy, serversFor } = await import('../runtime/perform/tool-servers.ts');
    const { boundary } = await import('../runtime/ports/boundary.ts');
    const own = boundary(process.env);
    const servers = serversFor(own, Date.now, cache);
    const settings = { own: [], tools: servers.tools, listed: listedBy(servers, own), environment };
    return work(settings).finally(servers.close);
  }
  const { offlineTools } = await import('../capabilities/mcp/offline-tools.ts');
  return work({
    own: [],
    tools: (server, folder, used) => offlineTools(server, folder, { cache, used, now: Date.now() }),
    environment,
  });
}

async function load(template: string | JsonObject, settings: LoadSettings): Promise<Result<LoadedTemplate>> {
  const files = await import('../runtime/load/load-file.ts');
  const folder = process.cwd();
  return typeof template === 'string'
    ? files.loadFile(template, folder, settings)
    : files.loadDocument(template, folder, settings);
}
