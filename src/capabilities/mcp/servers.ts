// The servers of an engine: their tools as capabilities, one session with each, all of them closed with it.
import { resolve } from 'node:path';
import { type Digest, digestOf } from '../../base/digest.ts';
import { isJsonObject, type Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { HttpServer, McpServer } from '../../template/keys/mcp-server.ts';
import { type Capability, capabilityOf } from '../capability.ts';
import { bridge } from './bridge.ts';
import type { Startable } from './connect.ts';
import { type Declared, declareTools } from './declare.ts';
import { keepListing } from './listing-cache.ts';
import { openSession, type Session } from './session.ts';
import { type Answered, errorOf, issueOf } from './trouble.ts';

export interface McpServersOptions {
  /** Fills in `${env.X}` and `${secret.X}`. @throws CapabilityError ENV_MISSING, SECRET_MISSING */
  readonly fillIn: (text: string) => string;
  readonly env: (name: string) => string | undefined;
  /** Takes out the secrets that have been filled in. */
  readonly redact: (text: string) => string;
  /** Where listings are kept; absent: nowhere. */
  readonly cache?: string;
  readonly now: () => number;
}

/** Paths that a server is given start at `folder`: the template's. */
export interface McpServers {
  /** Asks the server for its tools. Issues: MCP_…, ENV_MISSING, SECRET_MISSING. */
  tools(server: McpServer, folder: string): Promise<Result<readonly Capability[]>>;
  /**
   * What the server says about its tools now, as it came: from its last listing while the same connection is open and the
   * server has not said that its tools changed, else asked anew.
   */
  listed(server: McpServer, folder: string): Promise<Answered<readonly Json[]>>;
  /** Tools as they were declared when a run began; the server is not asked. */
  pinned(server: McpServer, folder: string, declarations: readonly Declaration[]): readonly Capability[];
  close(): Promise<void>;
}

interface Open {
  readonly session: Session;
  /** The last listing, while the server has not said that it changed. */
  listing: Listing | undefined;
  /** How often the server has said that its tools changed. */
  changes: number;
}

interface Listing {
  readonly declared: Declared;
  readonly tools: readonly Json[];
  /** The connection that it came over. */
  readonly connection: number | undefined;
}

export function mcpServers(options: McpServersOptions): McpServers {
  const { cache, now } = options;
  const opened = new Map<Digest, Open>();

  function openFor(server: McpServer, folder: string): Open {
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
    const open: Open = { session, listing: undefined, changes: 0 };
    opened.set(key, open);
    return open;
  }

  async function list(open: Open, server: McpServer, folder: string): Promise<Answered<Listing>> {
    const before = open.changes;
    const listed = await open.session.list();
    if (!listed.ok) return listed;
    const declared = declareTools(server.name, listed.value, server);
    const listing = { declared, tools: listed.value, connection: open.session.connection() };
    if (open.changes === before) open.listing = listing;
    if (cache !== undefined) await keepListing(cache, server, folder, now(), declared);
    return { ok: true, value: listing };
  }

  /** The listing of the open connection, where the server has not said since that it changed. */
  function current({ listing, session }: Open): Listing | undefined {
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
      const listed = known === undefined ? await list(open, server, folder) : { ok: true as const, value: known };
      if (!listed.ok) return bad([issueOf(listed.trouble)]);
      const { declarations, issues } = listed.value.declared;
      return good(pinned(server, folder, declarations), issues);
    },
    async listed(server, folder) {
      const open = openFor(server, folder);
      const known = current(open);
      const listed = known === undefined ? await list(open, server, folder) : { ok: true as const, value: known };
      return listed.ok ? { ok: true, value: listed.value.tools } : listed;
    },
    async close() {
      await Promise.all([...opened.values()].map(({ session }) => session.close()));
    },
  };
}

function capabilityFor(session: () => Session, declaration: Declaration): Capability {
  const { name, origin } = declaration;
  const tool = origin?.tool ?? name;
  // A session that breaks off in mid-call opens again and asks once more only where that cannot do a thing twice.
  const repeatable = declaration.repeat === 'safe' || declaration.repeat === 'keyed';
  return capabilityOf(declaration, async (input, { signal, idempotencyKey, log }) => {
    const given =
      origin?.key === undefined || !isJsonObject(input) ? input : { ...input, [origin.key]: idempotencyKey };
    const answered = await session().call(tool, given, idempotencyKey, { signal, repeatable, log });
    if (!answered.ok) throw errorOf(answered.trouble);
    return bridge(name, answered.value);
  });
}

/** What any program needs, and nothing that is ours alone. */
const basics = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'TZ', 'TMPDIR', 'TEMP', 'SystemRoot'];

function filled(server: McpServer, folder: string, { fillIn, env }: McpServersOptions): Startable | HttpServer {
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
