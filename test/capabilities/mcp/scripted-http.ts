// MCP servers over streamable HTTP in this process that play scripts of tools, each at a path of its own.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type Message, resultOf, type ToolScript } from './scripted-tools.ts';

/** The base of their addresses: `BASE/NAME` is the server with that script. Closed after the test. */
export async function scriptedHttp(scripts: Readonly<Record<string, ToolScript>>): Promise<string> {
  const http = createServer((request, response) => {
    const script = scripts[request.url?.slice(1) ?? ''];
    if (script === undefined) return void response.writeHead(404).end();
    if (request.method !== 'POST') return void response.writeHead(405).end();
    void json(request).then((body) => {
      const message = body as Message;
      if (message.id === undefined) return void response.writeHead(202).end();
      const result = resultOf(script, message);
      if (result === undefined) return;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    });
  });
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}
