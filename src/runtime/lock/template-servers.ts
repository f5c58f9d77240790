// The servers that a template names, and those that are found at an address.
import type { Declaration } from '../../contract/declaration.ts';
import type { HttpServer, McpServer } from '../../template/keys/mcp-server.ts';
import type { Template } from '../../template/template.ts';

const CONNECT_TIMEOUT = 30_000;

/** The server that offers a tool: one that the template names, or one that was found at a URL. */
export function serverOf(
  template: Template,
  { server, url }: NonNullable<Declaration['origin']>,
): McpServer | undefined {
  return url === undefined ? serversOf(template).find(({ name }) => name === server) : serverAt(new URL(url));
}

export function serversOf({ sources }: Pick<Template, 'sources'>): readonly McpServer[] {
  return sources.flatMap((source) => (typeof source === 'object' && 'mcp' in source ? [source.mcp] : []));
}

/** Its tools are called by its host. */
export function serverAt(url: URL): HttpServer {
  const name = url.hostname
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^(?![a-z])/, 'server_');
  return { name, connectTimeout: CONNECT_TIMEOUT, url: url.href, headers: {} };
}
