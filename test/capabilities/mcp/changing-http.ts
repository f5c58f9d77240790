// An MCP server over streamable HTTP, in this process, whose tools a test changes; it announces a change with its next answer.
import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Json } from '../../../src/base/json.ts';

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

export interface ChangingHttp {
  readonly url: string;
  /** The tools that were called, in order. */
  readonly called: readonly string[];
  /** Lists these from now on. `after`: once this tool has been called. */
  turn(tools: readonly Json[], after?: string): void;
}

export async function changingHttp(tools: readonly Json[]): Promise<ChangingHttp> {
  const called: string[] = [];
  let current = tools;
  let next: { readonly tools: readonly Json[]; readonly after: string } | undefined;

  function answer(response: ServerResponse, { id, method, params }: Message): void {
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'initialize') {
      response.setHeader('mcp-session-id', randomUUID());
      const capabilities = { tools: { listChanged: true } };
      const serverInfo = { name: 'changing', version: '1' };
      return say(response, id, { protocolVersion: '2025-06-18', capabilities, serverInfo });
    }
    if (method === 'tools/list') return say(response, id, { tools: current });
    const name = params?.name ?? '';
    called.push(name);
    const changes = next?.after === name ? next.tools : undefined;
    current = changes ?? current;
    say(response, id, { content: [], structuredContent: { content: `did ${name}` } }, changes !== undefined);
  }

  const http = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
    void json(request).then((message) => answer(response, message as Message));
  });
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    called,
    turn(turned, after) {
      if (after === undefined) current = turned;
      else next = { tools: turned, after };
    },
  };
}

/** As a stream of events where a change is announced before the answer. */
function say(response: ServerResponse, id: number, result: object, announces = false): void {
  const answer = { jsonrpc: '2.0', id, result };
  if (!announces) {
    response.setHeader('content-type', 'application/json');
    return void response.end(JSON.stringify(answer));
  }
  response.setHeader('content-type', 'text/event-stream');
  for (const message of [{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, answer]) {
    response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }
  response.end();
}
