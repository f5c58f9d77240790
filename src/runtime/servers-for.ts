// The MCP servers of one process, given what stands behind its boundary.
import type { Instant } from '../base/quantity.ts';
import { type McpServers, mcpServers } from '../capabilities/mcp/servers.ts';
import type { Boundary } from './boundary.ts';

/** @param cache where listings are kept; absent: nowhere */
export function serversFor({ fillText, env, redactText }: Boundary, now: () => Instant, cache?: string): McpServers {
  return mcpServers({
    fillIn: fillText,
    env,
    redact: redactText,
    now,
    ...(cache === undefined ? {} : { cache }),
  });
}
