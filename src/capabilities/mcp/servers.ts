// The MCP servers of an engine: their tools as capabilities, and one session with each.
import { resolve } from 'node:path';
import { type Digest, digestOf } from '../../base/digest.ts';
import { defined, isJsonObject, type Json } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { HttpServer, McpServer } from '../../template/keys/mcp-server.ts';
import { type Capability, capabilityOf } from '../capability.ts';
import { windowsVariables } from '../process-group.ts';
import type { StartableServer } from './connect.ts';
import { type DeclaredTools, declareTools } from './declare.ts';
import { keepListing } from './listing-cache.ts';
import { errorOf, issueOf, type McpError } from './mcp-error.ts';
import { openSession, type Session } from './session.ts';
import { resultOfTool } from './tool-result.ts';

export interface McpServersOptions {
  /** Fills in `${env.X}` and `${secret.X}`. @throws CapabilityError ENV_MISSING, SECRET_MISSING */
  readonly fillIn: (text: string) => string;
  readonly env: (name: string) => string | undefined;
  /** Removes the secrets that were filled in. */
  readonly redact: (text: string) => string;
  /** The folder of tool lists; absent: no cache. */
  readonly cache?: string;
  readonly now: () => Instant;
}

/** Paths in a server declaration are relative to `folder`, the folder of the template. */
export interface McpServers {
  /** Asks the server for its tools. Issues: MCP_…, ENV_MISSING, SECRET_MISSING. */
  tools(server: McpServer, folder: string): Promise<Result<readonly Capability[]>>;
  /**
   * The server's tools in its own words. Uses the last list while the same connection is open and the server announced no
   * change; otherwise asks the server.
   */
  listed(server: McpServer, folder: string): Promise<Result<readonly Json[], McpError>>;
  /** Tools as declared when the run began, without asking the server. */
  pinned(server: McpServer, folder: string, declarations: readonly Declaration[]): readonly Capability[];
  close(): Promise<void>;
}

interface OpenServer {
  readonly session: Session;
  /** The last list; undefined once the server announced a change. */
  listing: Listing | undefined;
  /** The number of announced changes. */
  changes: number;
}

interface Listing {
  readonly declared: DeclaredTools;
  readonly tools: readonly Json[];
  /** The number of the connection that the list came over. */
  readonly connection: number | undefined;
}

export function mcpServers(options: McpServersOptions): McpServers {
  const { cache, now } = options;
  const opened = new Map<Digest, OpenServer>();

  function openFor(server: McpServer, folder: string): OpenServer {
    const key = digestOf(JSON.parse(JSON.stringify([server, folder])) as Json);
    const known = opened.get(key);
    if (known !== undefined) return known;
    const session = openSession({
      server,
      fillIn: () => filled(server, folder, options),
      redact: options.redact,
      onToolsChanged() {
        open.changes += 1;
        open.listing = undefined;
        void list(open, server, folder);
      },
    });
    const open: OpenServer = { session, listing: undefined, changes: 0 };
    opened.set(key, open);
    return open;
  }

  async function list(open: OpenServer, server: McpServer, folder: string): Promise<Result<Listing, McpError>> {
    const before = open.changes;
    const listed = await open.session.list();
    if (!listed.ok) return listed;
    const declared = declareTools(server.name, listed.value, server);
    const listing = { declared, tools: listed.value, connection: open.session.connection() };
    if (open.changes === before) open.listing = listing;
    if (cache !== undefined) await keepListing(cache, server, folder, now(), declared);
    return good(listing);
  }

  /** The list of the open connection, unless the server announced a change since. */
  function current({ listing, session }: OpenServer): Listing | undefined {
    const connection = session.connection();
    return connection !== undefined && listing?.connection === connection ? listing : undefined;
  }

  function pinned(server: McpServer, folder: string, declarations: readonly Declaration[]): readonly Capability[] {
    return declarations.map((declaration) => capabilityFor(() => openFor(server, folder).session, declaration));
  }

  return {
    pinned,
    async tools(server, folder) {
      const open = openFor(server, folder);
      const known = open.session.tellsChanges() ? open.listing : undefined;
      const listed = known === undefined ? await list(open, server, folder) : good(known);
      if (!listed.ok) return bad([issueOf(listed.error)]);
      const { declarations, issues } = listed.value.declared;
      return good(pinned(server, folder, declarations), issues);
    },
    async listed(server, folder) {
      const open = openFor(server, folder);
      const known = current(open);
      const listed = known === undefined ? await list(open, server, folder) : good(known);
      return listed.ok ? good(listed.value.tools) : listed;
    },
    async close() {
      await Promise.all([...opened.values()].map(({ session }) => session.close()));
    },
  };
}

function capabilityFor(session: () => Session, declaration: Declaration): Capability {
  const { name, origin } = declaration;
  const tool = origin?.tool ?? name;
  // After a lost connection, the session repeats only calls that are safe to repeat.
  const repeatable = declaration.repeat === 'safe' || declaration.repeat === 'keyed';
  return capabilityOf(declaration, async (input, { signal, idempotencyKey, traceparent, tracestate, log }) => {
    const given =
      origin?.key === undefined || !isJsonObject(input) ? input : { ...input, [origin.key]: idempotencyKey };
    const answered = await session().call(tool, given, idempotencyKey, {
      signal,
      repeatable,
      trace: defined({ traceparent, tracestate }),
      log,
    });
    if (!answered.ok) throw errorOf(answered.error);
    return resultOfTool(name, answered.value);
  });
}

/** Environment variables that any program needs; none of them is private. */
const basics = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'TZ', 'TMPDIR', ...windowsVariables];

function filled(server: McpServer, folder: string, { fillIn, env }: McpServersOptions): StartableServer | HttpServer {
  const all = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fillIn(text)] as const));
  if ('url' in server) return { ...server, url: fillIn(server.url), headers: all(server.headers) };
  const inherited = basics.flatMap((name) => {
    const value = env(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...server,
    command: fillIn(server.command),
    args: server.args.map(fillIn),
    env: { ...Object.fromEntries(inherited), ...all(server.env) },
    cwd: resolve(folder, fillIn(server.cwd ?? '.')),
  };
}
