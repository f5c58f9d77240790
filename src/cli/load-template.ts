// Loads a template for commands that run nothing: MCP servers are asked only where that is wished.
import type { Result } from '../base/result.ts';
import type { Template } from '../template/template.ts';
import type { Flag, Given } from './command.ts';
import { storeFile } from './store-file.ts';

/** Of commands that look at a template. */
export const liveFlag: Flag = {
  name: '--live',
  description: 'Start the MCP servers that a template names and ask for their tools, instead of what they said last.',
};

/** Of commands that read a template. */
export const environmentFlag: Flag = {
  name: '--environment <name>',
  description: "One of the template's environments, laid over it.",
};

/** Paths are relative to the working directory. With `--live` the servers that it names are started and asked. */
export async function loadTemplate(given: Given, file: string): Promise<Result<Template>> {
  const { loadFile } = await import('../runtime/load-file.ts');
  const { listingsBeside } = await import('../capabilities/mcp/listing-cache.ts');
  const cache = listingsBeside(storeFile(given));
  const environment = given.text('environment');
  if (given.has('live')) {
    const { serversFor } = await import('../runtime/servers-for.ts');
    const { boundary } = await import('../runtime/boundary.ts');
    const servers = serversFor(boundary(process.env), Date.now, cache);
    const loaded = await loadFile(file, process.cwd(), { own: [], tools: servers.tools, environment }).finally(
      servers.close,
    );
    return templateOf(loaded);
  }
  const { offlineTools } = await import('../capabilities/mcp/offline-tools.ts');
  return templateOf(
    await loadFile(file, process.cwd(), {
      own: [],
      tools: (server, folder, used) => offlineTools(server, folder, { cache, used, now: Date.now() }),
      environment,
    }),
  );
}

function templateOf(loaded: Result<{ readonly template: Template }>): Result<Template> {
  return loaded.ok ? { ...loaded, value: loaded.value.template } : loaded;
}
