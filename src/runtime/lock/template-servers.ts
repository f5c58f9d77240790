// The servers that a template names, and servers at URLs.
import type { Duration } from '../../base/quantity.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { HttpServer, McpServer } from '../../template/keys/mcp-server.ts';
import type { Template } from '../../template/template.ts';

const CONNECT_TIMEOUT: Duration = 30_000;

/** The server of a tool: one that the template names, or one that was found at a URL. */
export function serverOf(
  template: Template,
  { server, url }: NonNullable<Declaration['origin']>,
): McpServer | undefined {
  return url === undefined ? serversOf(template).find(({ name }) => name === server) : serverAt(new URL(url));
}

export function serversOf({ sources }: Pick<Template, 'sources'>): readonly McpServer[] {
  return sources.flatMap((source) => (typeof source === 'object' && 'mcp' in source ? [source.mcp] : []));
}

/** The host is the name of the server and the prefix of its tools. */
export function serverAt(url: URL): HttpServer {
  const name = url.hostname
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^(?![a-z])/, 'server_');
  return { name, connectTimeout: CONNECT_TIMEOUT, url: url.href, headers: {} };
}
