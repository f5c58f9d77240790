// An MCP server over streamable HTTP, in this process, that does to each request what the test says.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { HttpServer } from '../../../src/template/keys/mcp-server.ts';

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

/** True when it has answered, and the usual answer must not follow. */
export type Mischief = (asked: string, response: ServerResponse, message: Message) => boolean;

export interface RogueHttp {
  readonly server: HttpServer;
  /** `initialize`, `tools/list`, or the name of the tool that was called. */
  readonly asked: readonly string[];
  readonly headers: readonly IncomingHttpHeaders[];
  /** As if it had been started anew. */
  forgetSessions(): void;
}

const tools = [
  { name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'write', inputSchema: { type: 'object' } },
];

export async function rogueHttp(mischief: Mischief = () => false, name = 'remote'): Promise<RogueHttp> {
  const asked: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const sessions = new Set<string>();

  function answer(response: ServerResponse, { id, method, params }: Message, session: string | undefined): void {
    const what = method === 'tools/call' ? (params?.name ?? '') : method;
    if (id !== undefined) asked.push(what);
    if (mischief(what, response, { method, ...(id === undefined ? {} : { id }) })) return;
    if (method === 'initialize') {
      const own = randomUUID();
      sessions.add(own);
      response.setHeader('mcp-session-id', own);
      return say(response, id, {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'remote', version: '1' },
      });
    }
    if (!sessions.has(session ?? '')) return void response.writeHead(404).end();
    if (id === undefined) return void response.writeHead(202).end();
    say(response, id, method === 'tools/list' ? { tools } : { content: [{ type: 'text', text: `did ${what}` }] });
  }

  const http = createServer((request, response) => {
    headers.push(request.headers);
    if (request.method !== 'POST') return void response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
    const session = request.headers['mcp-session-id'];
    void json(request).then((message) => answer(response, message as Message, session?.toString()));
  });
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return {
    server: { name, url: `http://127.0.0.1:${port}/mcp`, headers: {}, connectTimeout: 10_000 },
    asked,
    headers,
    forgetSessions: () => sessions.clear(),
  };
}

function say(response: ServerResponse, id: number | undefined, result: object): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
