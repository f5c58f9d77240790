// Connects to one server with the official SDK, over stdio or streamable HTTP; loaded only when a server is really asked.
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
import type { HttpServer, StdioServer } from '../../template/keys/mcp-server.ts';
import { LARGEST_RESULT } from './bridge.ts';
import { explain, isOtherProtocol, type Seen, STREAM_CUT } from './explain.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { stdioTransport } from './stdio-transport.ts';
import type { Answered, Trouble } from './trouble.ts';
import { within } from './within.ts';

export interface Connection {
  request(method: string, params: JsonObject, limits: RequestLimits): Promise<Answered<Json>>;
  /** Whether another request may be sent over it. */
  isOpen(): boolean;
  /** Whether the server says so when its tools change. */
  readonly tellsChanges: boolean;
  close(): Promise<void>;
}

interface RequestLimits {
  readonly signal?: AbortSignal;
  readonly timeout?: Duration;
}

export interface Listeners {
  /** A line that the server says beside the protocol. */
  onTalk(line: string): void;
  onToolsChanged(): void;
}

/** A process with its environment and folder, all of it filled in. */
export type Startable = StdioServer & { readonly cwd: string };

/** Bytes of one message: more than the largest result, which is judged when it has been read. */
const LARGEST_MESSAGE = 2 * LARGEST_RESULT;
/** Timers cannot wait longer; a step's own timeout ends its calls. */
const FOR_EVER: Duration = 2_147_483_647;
/** How long an answer whose stream broke off may still come by another. */
const SECOND_STREAM: Duration = 1_500;
const GOODBYE: Duration = 1_000;

/** What the answers are is judged by whoever asked. */
const anyResult: StandardSchemaV1<unknown, Json> = {
  '~standard': { version: 1, vendor: 'reconverge', validate: (value: unknown) => ({ value: value as Json }) },
};

interface Line {
  readonly transport: Transport;
  seen(): Seen;
  /** Before the connection is closed. */
  leave(): Promise<void>;
}

/** The first protocol without a handshake. Servers may refuse the older ones. */
const WITHOUT_HANDSHAKE = '2026-07-28';

/** With a handshake, as nearly every server does it; without one where the server refuses that. */
export async function connect(server: Startable | HttpServer, listeners: Listeners): Promise<Answered<Connection>> {
  const { connected, refused } = await connectBy('legacy', server, listeners);
  return refused ? (await connectBy({ pin: WITHOUT_HANDSHAKE }, server, listeners)).connected : connected;
}

interface Attempt {
  readonly connected: Answered<Connection>;
  /** The server speaks another protocol. */
  readonly refused: boolean;
}

async function connectBy(
  mode: VersionNegotiationMode,
  server: Startable | HttpServer,
  listeners: Listeners,
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
    listeners.onTalk(typeof params.data === 'string' ? params.data : JSON.stringify(params.data));
  });
  const close = async (): Promise<void> => {
    open = false;
    await line.leave();
    await client.close();
  };
  const failed = (error: unknown, asked: string): Trouble => explain(error, server, asked, line.seen());

  let problem: unknown;
  const work = client.connect(line.transport, { timeout: server.connectTimeout }).catch((error: unknown) => {
    problem = error ?? new Error('unknown');
  });
  const inTime = await within(server.connectTimeout, work);
  if (!inTime || problem !== undefined) {
    const trouble = failed(inTime ? problem : timeout, 'connect');
    await close();
    return { connected: { ok: false, trouble }, refused: inTime && isOtherProtocol(problem) };
  }
  const connection: Answered<Connection> = {
    ok: true,
    value: {
      isOpen: () => open,
      tellsChanges: client.getServerCapabilities()?.tools?.listChanged === true,
      close,
      async request(method, params, { signal, timeout: time = FOR_EVER }) {
        try {
          const options = { timeout: time, ...defined({ signal }) };
          return { ok: true, value: await client.request({ method, params: { ...params } }, anyResult, options) };
        } catch (error) {
          return { ok: false, trouble: failed(error, method) };
        }
      },
    },
  };
  return { connected: connection, refused: false };
}

/** Without a handshake the server is asked to tell its changes, which the SDK does for those who listen. */
function optionsFor(mode: VersionNegotiationMode, { onToolsChanged }: Listeners): ClientOptions {
  if (mode === 'legacy') return {};
  const tools = { autoRefresh: false, onChanged: () => onToolsChanged() };
  return { versionNegotiation: { mode }, listChanged: { tools } };
}

const timeout = new SdkError(SdkErrorCode.RequestTimeout, 'no answer in time');

function overStdio({ command, args, env, cwd }: Startable, onTalk: (line: string) => void): Line {
  let last = '';
  const transport = stdioTransport(
    {
      command,
      args,
      env,
      cwd,
      onTalk(line) {
        if (line.trim() !== '') last = line;
        onTalk(line);
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
    // The protocol of sessions has no word for this, and the request would wait for ever.
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
      await within(GOODBYE, transport.terminateSession());
    },
  };
}
