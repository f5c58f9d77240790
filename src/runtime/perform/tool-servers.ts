// The MCP servers of one process, whose settings and errors pass its boundary.
import { defined } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import { bad, good } from '../../base/result.ts';
import { issueOf } from '../../capabilities/mcp/mcp-error.ts';
import { type McpServers, mcpServers } from '../../capabilities/mcp/servers.ts';
import type { ListedBy } from '../lock/lock-at-load.ts';
import type { Boundary } from '../ports/boundary.ts';

/** Lists the tools of servers, and redacts the secrets that the servers were given. */
export function listedBy(servers: McpServers, { redact }: Pick<Boundary, 'redact'>): ListedBy {
  return async (server, folder) => {
    const listed = await servers.listed(server, folder);
    if (!listed.ok) return bad([issueOf(listed.error)]);
    return good(listed.value.map((tool) => redact(tool)));
  };
}

/** @param cache the folder for listings of tools; absent: listings are not kept */
export function serversFor({ fillText, env, redactText }: Boundary, now: () => Instant, cache?: string): McpServers {
  return mcpServers({
    fillIn: fillText,
    env,
    redact: redactText,
    now,
    ...defined({ cache }),
  });
}
