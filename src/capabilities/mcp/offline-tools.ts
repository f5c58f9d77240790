// The tools of servers that are not started: from the last list, or guessed from the names that a template uses.
import { issue } from '../../base/issue.ts';
import type { Instant } from '../../base/quantity.ts';
import { good, type Result } from '../../base/result.ts';
import type { McpServer } from '../../template/keys/mcp-server.ts';
import { type Capability, capabilityOf } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';
import { declareTools } from './declare.ts';
import { readListing } from './listing-cache.ts';

/**
 * @param cache the folder of tool lists
 * @param used the capability names that the template uses
 */
export async function offlineTools(
  server: McpServer,
  folder: string,
  { cache, used, now }: { readonly cache: string; readonly used: readonly string[]; readonly now: Instant },
): Promise<Result<readonly Capability[]>> {
  const known = await readListing(cache, server, folder, now);
  if (known !== undefined) {
    return good(
      known.declarations.map((declaration) => capabilityOf(declaration, notAsked)),
      known.issues,
    );
  }
  const own = used.flatMap((name) => (name.startsWith(`${server.name}.`) ? [name.slice(server.name.length + 1)] : []));
  const described = own.map((name) => ({ name, description: `A tool of ${server.name}.` }));
  const { declarations } = declareTools(server.name, described, server);
  const trusted = declarations.map(({ origin: _origin, input: _input, ...known }) => capabilityOf(known, notAsked));
  return good(trusted, [
    issue('MCP_NOT_LISTED', `the tools of server "${server.name}" are not known here, so their use is not checked`, {
      severity: 'warning',
      hint: 'ask the server: reconverge validate --live',
    }),
  ]);
}

function notAsked(): never {
  throw new CapabilityError('MCP_NOT_LISTED', 'this server is not asked here', { retry: 'never' });
}
