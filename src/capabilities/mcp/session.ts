// One session with one MCP server: connects on the first request, reconnects after a loss, closes with the engine.
import { defined, isJsonArray, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { isPackageMissing, missingText } from '../../base/missing-package.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { McpServer } from '../../template/keys/mcp-server.ts';
import { failureOf } from '../capability-error.ts';
import type { Log } from '../log.ts';
import type { Connection, connect, ServerListeners, StartableServer } from './connect.ts';
import { type McpError, mcpError } from './mcp-error.ts';
import type { ServerLine } from './server-line.ts';

interface CallOptions {
  readonly signal: AbortSignal;
  /** The call may be sent again when nobody knows whether the server carried it out. */
  readonly repeatable: boolean;
  /** The trace context, under the names that the protocol reserves for it. */
  readonly trace: Readonly<Record<string, string>>;
  /** Receives the lines that the server writes during the call. */
  readonly log: Log;
}

export interface Session {
  /** All tools of the server, from all pages, as the server describes them. */
  list(): Promise<Result<readonly Json[], McpError>>;
  call(tool: string, input: Json, key: string, options: CallOptions): Promise<Result<Json, McpError>>;
  /** The number of connections opened so far; undefined while none is open. */
  connection(): number | undefined;
  /** The connection is open, and its server announces every change of its tools. */
  tellsChanges(): boolean;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly server: McpServer;
  /** The server with every reference filled in. @throws CapabilityError ENV_MISSING, SECRET_MISSING */
  readonly fillIn: () => StartableServer | Extract<McpServer, { url: string }>;
  readonly redact: (text: string) => string;
  readonly onToolsChanged: () => void;
}

const MOST_PAGES = 100;

export function openSession(options: SessionOptions): Session {
  const { server, redact } = options;
  const listeners = new Set<Log>();
  const kept = keepConnection(options, ({ level, message, data }) => {
    // Nobody knows which call a line belongs to, so each call under way gets it.
    const calls = listeners.size > 1 ? { calls_under_way: listeners.size } : {};
    for (const log of listeners) log[level](redact(message), { ...data, ...calls });
  });

  /** Asks once more after the session was lost, unless the server might do the work twice. */
  async function ask(
    repeatable: boolean,
    request: (connection: Connection) => Promise<Result<Json, McpError>>,
  ): Promise<Result<Json, McpError>> {
    for (let last = false; ; last = true) {
      const opened = await kept.get();
      if (!opened.ok) return redacted(opened.error);
      const answered = await request(opened.value);
      if (answered.ok) return answered;
      const { error } = answered;
      if (error.lost) await opened.value.close();
      const again = error.lost && (repeatable || error.fate === 'refused');
      if (!again || last) return redacted(error);
    }
  }

  /** A server may repeat secrets in its error messages. */
  function redacted(error: McpError): Result<never, McpError> {
    return bad({ ...error, message: redact(error.message) });
  }

  return {
    async list() {
      const tools: Json[] = [];
      let cursor: Json | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const params: JsonObject = defined({ cursor });
        const limits = { timeout: server.connectTimeout };
        const answered = await ask(true, (connection) => connection.request('tools/list', params, limits));
        if (!answered.ok) return answered;
        const listed = ownProperty(answered.value, 'tools');
        if (!isJsonArray(listed)) return bad(notListed(server.name));
        tools.push(...listed);
        cursor = ownProperty(answered.value, 'nextCursor');
        if (typeof cursor !== 'string') return good(tools);
      }
      return bad(endless(server.name));
    },

    async call(tool, input, key, { signal, repeatable, trace, log }) {
      const named = log.from(server.name);
      listeners.add(named);
      // The protocol defines no idempotency key; a server that knows this one may use it.
      const _meta = { 'reconverge/idempotency_key': key, ...trace };
      const params: JsonObject = { name: tool, arguments: input, _meta };
      const answered = await ask(repeatable, (connection) => connection.request('tools/call', params, { signal }));
      listeners.delete(named);
      return answered;
    },

    connection: kept.number,
    tellsChanges: kept.tellsChanges,
    close: kept.close,
  };
}

interface KeptConnection {
  /** The open connection, else a new one. A failed attempt to connect is not kept. */
  get(): Promise<Result<Connection, McpError>>;
  /** As `Session.connection` and `Session.tellsChanges`. */
  number(): number | undefined;
  tellsChanges(): boolean;
  close(): Promise<void>;
}

function keepConnection(
  { server, fillIn, onToolsChanged }: SessionOptions,
  onTalk: (line: ServerLine) => void,
): KeptConnection {
  let current: Promise<Result<Connection, McpError>> | undefined;
  let live: Connection | undefined;
  let closed = false;
  let opens = 0;

  async function open(): Promise<Result<Connection, McpError>> {
    let filled: ReturnType<typeof fillIn>;
    try {
      filled = fillIn();
    } catch (thrown) {
      const { code, message } = failureOf(thrown);
      return bad(mcpError(code, `server "${server.name}": ${message}`, { retry: 'never' }));
    }
    if ('url' in filled && !isHttp(filled.url)) return bad(noAddress(server.name));
    const opened = await connectTo(server.name, filled, { onToolsChanged, onTalk });
    if (opened.ok) {
      live = opened.value;
      opens += 1;
    }
    return opened;
  }

  return {
    async get() {
      if (closed) return bad(mcpError('MCP_CONNECTION_LOST', 'the engine has been closed'));
      const known = current;
      if (known !== undefined) {
        const opened = await known;
        if (opened.ok && opened.value.isOpen()) return opened;
        if (current === known) current = undefined;
      }
      current ??= open();
      return current;
    },
    number: () => (live?.isOpen() === true ? opens : undefined),
    tellsChanges: () => live?.isOpen() === true && live.tellsChanges,
    async close() {
      closed = true;
      const opened = await current;
      if (opened?.ok === true) await opened.value.close();
    },
  };
}

const CLIENT = '@modelcontextprotocol/client';

async function connectTo(
  name: string,
  server: Parameters<typeof connect>[0],
  listeners: ServerListeners,
): Promise<Result<Connection, McpError>> {
  try {
    const { connect } = await import('./connect.ts');
    return await connect(server, listeners);
  } catch (thrown) {
    if (!isPackageMissing(thrown, CLIENT)) throw thrown;
    return bad(mcpError('PACKAGE_MISSING', missingText(`server "${name}"`, CLIENT), { retry: 'never' }));
  }
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function noAddress(name: string): McpError {
  return mcpError('MCP_UNREACHABLE', `server "${name}" has no http or https address for its url`, { retry: 'never' });
}

function notListed(name: string): McpError {
  return mcpError('MCP_ANSWER_INVALID', `server "${name}" answered tools/list without a list of tools`);
}

function endless(name: string): McpError {
  return mcpError('MCP_ANSWER_INVALID', `server "${name}" lists tools without end: ${MOST_PAGES} pages were read`, {
    retry: 'never',
  });
}
