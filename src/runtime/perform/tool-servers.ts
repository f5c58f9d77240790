// The MCP servers of one process, given what stands behind its boundary.
import { defined } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import { bad, good } from '../../base/result.ts';
import { issueOf } from '../../capabilities/mcp/mcp-error.ts';
import { type McpServers, mcpServers } from '../../capabilities/mcp/servers.ts';
import type { ListedBy } from '../lock/lock-at-load.ts';
import type { Boundary } from '../ports/boundary.ts';

/** Lists the tools of servers, without the secrets that the servers were given. */
export function listedBy(servers: McpServers, { redact }: Pick<Boundary, 'redact'>): ListedBy {
  return async (server, folder) => {
    const listed = await servers.listed(server, folder);
    if (!listed.ok) return bad([issueOf(listed.error)]);
    return good(listed.value.map((tool) => redact(tool)));
  };
}

/** @param cache where listings are kept; absent: nowhere */
export function serversFor({ fillText, env, redactText }: Boundary, now: () => Instant, cache?: string): McpServers {
  return mcpServers({
    fillIn: fillText,
    env,
    redact: redactText,
    now,
    ...defined({ cache }),
  });
}
