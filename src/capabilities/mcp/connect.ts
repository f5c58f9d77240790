// Connects to one MCP server with the official SDK, over stdio or streamable HTTP; loaded on the first connection.
import {
  Client,
  type ClientOptions,
  SdkError,
  SdkErrorCode,
  type StandardSchemaV1,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { HttpServer, StdioServer } from '../../template/keys/mcp-server.ts';
import { explainError, isOtherProtocol, type ServerEvidence, STREAM_CUT } from './explain-error.ts';
import { guardedFetch } from './guarded-fetch.ts';
import type { McpError } from './mcp-error.ts';
import { lineOfNotification, type ServerLine } from './server-line.ts';
import { settlesWithin } from './settles-within.ts';
import { stdioTransport } from './stdio-transport.ts';
import { LARGEST_RESULT } from './tool-result.ts';

export interface Connection {
  request(method: string, params: JsonObject, limits: RequestLimits): Promise<Result<Json, McpError>>;
  /** False after the connection was lost or closed. */
  isOpen(): boolean;
  /** The server announces changes of its tools. */
  readonly tellsChanges: boolean;
  close(): Promise<void>;
}

interface RequestLimits {
  readonly signal?: AbortSignal;
  readonly timeout?: Duration;
}

export interface ServerListeners {
  /** Receives log messages of the server, and its output outside the protocol. */
  onTalk(line: ServerLine): void;
  onToolsChanged(): void;
}

/** A stdio server with all references filled in, and its working folder. */
export type StartableServer = StdioServer & { readonly cwd: string };

/** Bytes of one message. Larger than the largest result, whose size is checked after parsing. */
const LARGEST_MESSAGE = 2 * LARGEST_RESULT;
/** The longest delay of a timer. The step's own timeout ends its calls. */
const FOR_EVER: Duration = 2_147_483_647;
/** The time to wait for an answer on a second stream after the first broke off. */
const SECOND_STREAM: Duration = 1_500;
const GOODBYE: Duration = 1_000;

/** Accepts any result; the caller validates it. */
const anyResult: StandardSchemaV1<unknown, Json> = {
  '~standard': { version: 1, vendor: 'reconverge', validate: (value: unknown) => ({ value: value as Json }) },
};

interface Line {
  readonly transport: Transport;
  seen(): ServerEvidence;
  /** Runs before the connection is closed. */
  leave(): Promise<void>;
}

/** The first protocol version without a handshake. Its servers may refuse older versions. */
const WITHOUT_HANDSHAKE = '2026-07-28';

/** Tries the handshake first, which nearly every server knows; connects without one when the server refuses it. */
export async function connect(
  server: StartableServer | HttpServer,
  listeners: ServerListeners,
): Promise<Result<Connection, McpError>> {
  const { connected, refused } = await connectBy('legacy', server, listeners);
  return refused ? (await connectBy({ pin: WITHOUT_HANDSHAKE }, server, listeners)).connected : connected;
}

interface Attempt {
  readonly connected: Result<Connection, McpError>;
  /** The server speaks another version of the protocol. */
  readonly refused: boolean;
}

async function connectBy(
  mode: VersionNegotiationMode,
  server: StartableServer | HttpServer,
  listeners: ServerListeners,
): Promise<Attempt> {
  const line = 'url' in server ? overHttp(server) : overStdio(server, listeners.onTalk);
  const client = new Client({ name: 'reconverge', version: '1' }, optionsFor(mode, listeners));
  let open = true;
  client.onclose = () => {
    open = false;
  };
  if (mode === 'legacy') {
    client.setNotificationHandler('notifications/tools/list_changed', () => listeners.onToolsChanged());
  }
  client.setNotificationHandler('notifications/message', ({ params }) => {
    listeners.onTalk(lineOfNotification(params));
  });
  const close = async (): Promise<void> => {
    open = false;
    await line.leave();
    await client.close();
  };
  const failed = (error: unknown, asked: string): McpError => explainError(error, server, asked, line.seen());

  let problem: unknown;
  const work = client.connect(line.transport, { timeout: server.connectTimeout }).catch((error: unknown) => {
    problem = error ?? new Error('unknown');
  });
  const inTime = await settlesWithin(server.connectTimeout, work);
  if (!inTime || problem !== undefined) {
    const trouble = failed(inTime ? problem : timeout, 'connect');
    await close();
    return { connected: bad(trouble), refused: inTime && isOtherProtocol(problem) };
  }
  const connection: Connection = {
    isOpen: () => open,
    tellsChanges: client.getServerCapabilities()?.tools?.listChanged === true,
    close,
    async request(method, params, { signal, timeout: time = FOR_EVER }) {
      try {
        const options = { timeout: time, ...defined({ signal }) };
        return good(await client.request({ method, params: { ...params } }, anyResult, options));
      } catch (error) {
        return bad(failed(error, method));
      }
    },
  };
  return { connected: good(connection), refused: false };
}

/** Without a handshake, the SDK asks the server to announce changes only if there is a listener. */
function optionsFor(mode: VersionNegotiationMode, { onToolsChanged }: ServerListeners): ClientOptions {
  if (mode === 'legacy') return {};
  const tools = { autoRefresh: false, onChanged: () => onToolsChanged() };
  return { versionNegotiation: { mode }, listChanged: { tools } };
}

const timeout = new SdkError(SdkErrorCode.RequestTimeout, 'no answer in time');

function overStdio({ command, args, env, cwd }: StartableServer, onTalk: ServerListeners['onTalk']): Line {
  let last = '';
  const transport = stdioTransport(
    {
      command,
      args,
      env,
      cwd,
      onTalk(line) {
        if (line.trim() === '') return;
        last = line;
        onTalk({ level: 'info', message: line });
      },
    },
    LARGEST_MESSAGE,
  );
  return {
    transport,
    seen: () => ({ ending: transport.ending(), overflown: transport.overflown(), last }),
    leave: async () => undefined,
  };
}

function overHttp({ url, headers }: HttpServer): Line {
  let overflown = false;
  const guard = {
    largest: LARGEST_MESSAGE,
    onOverflow: () => {
      overflown = true;
      void transport.close();
    },
    // The protocol reports no broken stream, and the request would wait forever.
    onStreamEnd: (id: number) => {
      const error = { code: STREAM_CUT, message: 'the stream broke off before the answer' };
      setTimeout(() => transport.onmessage?.({ jsonrpc: '2.0', id, error }), SECOND_STREAM).unref();
    },
  };
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: guardedFetch(guard),
    reconnectionOptions: {
      initialReconnectionDelay: 100,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 3,
      maxRetries: 2,
    },
  });
  return {
    transport: transport as Transport,
    seen: () => ({ ending: undefined, overflown, last: '', session: transport.sessionId }),
    leave: async () => {
      await settlesWithin(GOODBYE, transport.terminateSession());
    },
  };
}
