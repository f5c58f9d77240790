// Servers of the protocol of 2026-07-28, and what is taken of what servers may ask: real ones, made with the official SDK.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Failure } from '../../../src/base/failure.ts';
import type { Json } from '../../../src/base/json.ts';
import type { Result } from '../../../src/base/result.ts';
import { callCapability } from '../../../src/capabilities/call.ts';
import type { McpServer } from '../../../src/template/keys/mcp-server.ts';
import { patience } from '../../patience.ts';
import { contextIn, folderWith } from '../workbench.ts';
import { everything, givenServers, toolOf, toolsOf } from './given-servers.ts';
import { modernServer } from './modern-tools.ts';

const started = (file: string): McpServer => ({
  name: 'modern',
  command: process.execPath,
  args: [`${import.meta.dirname}/${file}`],
  env: {},
  connectTimeout: 30_000,
});

async function served(): Promise<McpServer> {
  const handler = createMcpHandler(() => modernServer(() => handler.notify.toolsChanged()), { legacy: 'reject' });
  const http = createServer(async (request, response) => {
    const body = request.method === 'POST' ? { body: new Uint8Array(await buffer(request)) } : {};
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const { method = 'GET', url = '/' } = request;
    const answered = await handler.fetch(new Request(`http://127.0.0.1${url}`, { method, headers, ...body }));
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    for await (const chunk of answered.body ?? []) response.write(chunk);
    response.end();
  });
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  return { name: 'modern', url: `http://127.0.0.1:${port}/mcp`, headers: {}, connectTimeout: 30_000 };
}

function failureOf(called: Result<Json, Failure>): Failure {
  if (called.ok) throw new Error('it did not fail');
  return called.error;
}

describe.each([
  ['stdio', async () => started('modern-server.ts')],
  ['HTTP', served],
])('a server over %s that knows only the protocol of 2026-07-28', (_, given) => {
  const call = async (server: McpServer, tool: string, input: Json = {}): Promise<Result<Json, Failure>> =>
    callCapability(await toolOf(server, `modern.${tool}`), input, contextIn('.'));

  it('a server without a handshake lists its tools, which return results', async () => {
    const server = await given();
    expect(await call(server, 'echo', { a: 1 })).toEqual({ ok: true, value: { said: { a: 1 } }, warnings: [] });
  });

  it('a request for input during a call is refused', async () => {
    const failure = failureOf(await call(await given(), 'ask_name'));
    expect(failure).toMatchObject({ code: 'MCP_INPUT_REQUESTED', retry: 'never' });
    expect(failure.message).toContain('call it with all that it needs');
  });

  it('an error of the server is reported with its code and data', async () => {
    const failure = failureOf(await call(await given(), 'refuse'));
    expect(failure).toMatchObject({
      code: 'MCP_TOOL_FAILED',
      message: expect.stringContaining('the quota is used up (error -32050, {"retry_after":60})'),
    });
  });

  it('a server that announces changed tools is listed again', async () => {
    const [server, servers] = [await given(), givenServers()];
    const tools = await toolsOf(server, servers);
    const grow = tools.get('modern.grow');
    if (grow === undefined) throw new Error('there is no modern.grow');
    await callCapability(grow, {}, contextIn('.'));
    await vi.waitUntil(async () => (await toolsOf(server, servers)).has('modern.grown'), patience);
  });
});

it.each(['elicitation/create', 'sampling/createMessage', 'roots/list'])(
  'a server that asks with %s in mid-call is refused at once, and its tool ends',
  async (method) => {
    const ask = await toolOf(started('asking-server.ts'), 'modern.ask');
    expect(await callCapability(ask, { method }, contextIn('.'))).toMatchObject({
      ok: false,
      error: { code: 'MCP_TOOL_FAILED', message: 'modern.ask failed: refused with -32601' },
    });
  },
);

it('a tool that can only be called as a task is left out with a warning', async () => {
  const listed = await givenServers().tools(everything(), '.');
  if (!listed.ok) throw new Error('it was not listed');
  expect(listed.value.map(({ declaration }) => declaration.name)).not.toContain('every.simulate_research_query');
  expect(listed.warnings).toMatchObject([{ code: 'MCP_TOOL_NEEDS_TASK', severity: 'warning' }]);
});

it('links to resources are passed on unchanged', async () => {
  const links = await toolOf(everything(), 'every.get_resource_links');
  const answered = await callCapability(links, { count: 1 }, contextIn('.'));
  expect(answered).toMatchObject({
    value: [{ type: 'text' }, { type: 'resource_link', uri: expect.stringMatching(/^demo:\/\//) }],
  });
});

it('an aborted call is cancelled at the server', async () => {
  const log = join(await folderWith(), 'heard');
  const server = { ...started('asking-server.ts'), env: { HEARD: log } };
  const ask = await toolOf(server, 'modern.ask');
  const called = callCapability(ask, { silent: true }, contextIn('.', { signal: AbortSignal.timeout(500) }));
  expect((await called).ok).toBe(false);
  await vi.waitUntil(() => readFileSync(log, 'utf8').includes('notifications/cancelled'), patience);
});
