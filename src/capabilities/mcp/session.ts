// One session with one server: opened when it is needed, opened once more when it is lost, closed with the engine.
import { defined, isJsonArray, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import type { McpServer } from '../../template/keys/mcp-server.ts';
import { failureOf } from '../capability-error.ts';
import type { Connection, Startable } from './connect.ts';
import { type Answered, type Trouble, trouble } from './trouble.ts';

interface Asking {
  readonly signal: AbortSignal;
  /** Whether it may be sent again when nobody knows what became of it. */
  readonly repeatable: boolean;
  /** What the server says meanwhile. */
  readonly log: (message: string) => void;
}

export interface Session {
  /** Every tool, all pages of them, as the server tells it. */
  list(): Promise<Answered<readonly Json[]>>;
  call(tool: string, input: Json, key: string, asking: Asking): Promise<Answered<Json>>;
  /** Counts the connections that have been opened; undefined while none is open. */
  connection(): number | undefined;
  /** Whether its tools cannot have changed since they were listed without our being told. */
  tellsChanges(): boolean;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly server: McpServer;
  /** The server with every reference filled in. @throws CapabilityError ENV_MISSING, SECRET_MISSING */
  readonly fillIn: () => Startable | Extract<McpServer, { url: string }>;
  readonly redact: (text: string) => string;
  readonly onToolsChanged: () => void;
}

const MOST_PAGES = 100;

export function openSession({ server, fillIn, redact, onToolsChanged }: SessionOptions): Session {
  const listening = new Set<(message: string) => void>();
  let current: Promise<Answered<Connection>> | undefined;
  let live: Connection | undefined;
  let closed = false;
  let opens = 0;

  async function open(): Promise<Answered<Connection>> {
    let filled: ReturnType<typeof fillIn>;
    try {
      filled = fillIn();
    } catch (thrown) {
      const { code, message } = failureOf(thrown);
      return { ok: false, trouble: trouble(code, `server "${server.name}": ${message}`, { retry: 'never' }) };
    }
    if ('url' in filled && !isHttp(filled.url)) return { ok: false, trouble: noAddress(server.name) };
    const { connect } = await import('./connect.ts');
    const opened = await connect(filled, {
      onToolsChanged,
      onTalk(line) {
        for (const log of listening) log(redact(`${server.name}: ${line}`));
      },
    });
    if (opened.ok) {
      live = opened.value;
      opens += 1;
    }
    return opened;
  }

  /** The connection that is open, else another one; what failed is not kept. */
  async function connection(): Promise<Answered<Connection>> {
    if (closed) return { ok: false, trouble: trouble('MCP_CONNECTION_LOST', 'the engine has been closed') };
    const known = current;
    if (known !== undefined) {
      const opened = await known;
      if (opened.ok && opened.value.isOpen()) return opened;
      if (current === known) current = undefined;
    }
    current ??= open();
    return current;
  }

  /** Once more after the session was lost, unless that might do a thing twice. */
  async function ask(
    repeatable: boolean,
    request: (connection: Connection) => Promise<Answered<Json>>,
  ): Promise<Answered<Json>> {
    for (let last = false; ; last = true) {
      const opened = await connection();
      if (!opened.ok) return said(opened);
      const answered = await request(opened.value);
      if (answered.ok) return answered;
      if (answered.trouble.lost) await opened.value.close();
      const again = answered.trouble.lost && (repeatable || answered.trouble.fate === 'refused');
      if (!again || last) return said(answered);
    }
  }

  /** What the server says of its trouble may hold what it was given. */
  function said<T>(answered: Extract<Answered<T>, { ok: false }>): Answered<never> {
    return { ok: false, trouble: { ...answered.trouble, message: redact(answered.trouble.message) } };
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
        if (!isJsonArray(listed)) return { ok: false, trouble: notListed(server.name) };
        tools.push(...listed);
        cursor = ownProperty(answered.value, 'nextCursor');
        if (typeof cursor !== 'string') return { ok: true, value: tools };
      }
      return { ok: false, trouble: endless(server.name) };
    },

    async call(tool, input, key, { signal, repeatable, log }) {
      listening.add(log);
      // A server that knows it may use it; the protocol has no word for it.
      const params: JsonObject = { name: tool, arguments: input, _meta: { 'reconverge/idempotency_key': key } };
      const answered = await ask(repeatable, (connection) => connection.request('tools/call', params, { signal }));
      listening.delete(log);
      return answered;
    },

    connection: () => (live?.isOpen() === true ? opens : undefined),
    tellsChanges: () => live?.isOpen() === true && live.tellsChanges,

    async close() {
      closed = true;
      const opened = await current;
      if (opened?.ok === true) await opened.value.close();
    },
  };
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function noAddress(name: string): Trouble {
  return trouble('MCP_UNREACHABLE', `server "${name}" has no http or https address for its url`, { retry: 'never' });
}

function notListed(name: string): Trouble {
  return trouble('MCP_ANSWER_INVALID', `server "${name}" answered tools/list without a list of tools`);
}

function endless(name: string): Trouble {
  return trouble('MCP_ANSWER_INVALID', `server "${name}" lists tools without end: ${MOST_PAGES} pages were read`, {
    retry: 'never',
  });
}
