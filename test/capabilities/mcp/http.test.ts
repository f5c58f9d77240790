// Tools of servers over streamable HTTP: one from the registry, and one that does what a test says.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Capability } from '../../../src/capabilities/capability.ts';
import type { HttpServer } from '../../../src/template/keys/mcp-server.ts';
import { failureFrom, resultFrom } from '../workbench.ts';
import { everythingScript, givenServers, refusalOf, toolOf, toolsOf } from './given-servers.ts';
import { type Mischief, rogueHttp } from './rogue-http.ts';

const call = (tool: Capability, input: object = {}) => resultFrom(tool, { ...input }, '.');
const fail = (tool: Capability, input: object = {}) => failureFrom(tool, { ...input }, '.');

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => void probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => void probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** server-everything over HTTP, once it listens. */
async function everythingOverHttp(): Promise<HttpServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [everythingScript, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  for await (const line of createInterface({ input: child.stderr })) if (line.includes('listening')) break;
  return { name: 'every', url: `http://127.0.0.1:${port}/mcp`, headers: {}, connectTimeout: 30_000 };
}

/** Does it to this request only, as often as said. */
function to(what: string, times: number, act: (response: Parameters<Mischief>[1], id: number) => void): Mischief {
  let left = times;
  return (asked, response, { id = 0 }) => {
    if (asked !== what || left === 0) return false;
    left -= 1;
    act(response, id);
    return true;
  };
}

describe('server-everything over HTTP', () => {
  it('lists the same tools, which return results', async () => {
    const server = await everythingOverHttp();
    const servers = givenServers();
    expect([...(await toolsOf(server, servers)).keys()]).toContain('every.get_structured_content');
    expect(await call(await toolOf(server, 'every.get_sum', servers), { a: 1, b: 2 })).toBe('The sum of 1 and 2 is 3.');
  });
});

describe('a server over HTTP', () => {
  it('gets its own headers, and never those of another server', async () => {
    const [one, other] = [await rogueHttp(undefined, 'one'), await rogueHttp(undefined, 'other')];
    const servers = givenServers({ fillIn: (text) => text.replace('${secret.ONE}', 'first') });
    await toolsOf({ ...one.server, headers: { Authorization: 'Bearer ${secret.ONE}' } }, servers);
    await toolsOf(other.server, servers);
    expect(new Set(one.headers.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer first']));
    expect(new Set(other.headers.map(({ authorization }) => authorization))).toEqual(new Set([undefined]));
  });

  it('gets one session for all its calls', async () => {
    const { server, asked } = await rogueHttp();
    const servers = givenServers();
    const read = await toolOf(server, 'remote.read', servers);
    await Promise.all([call(read), call(read), call(await toolOf(server, 'remote.write', servers))]);
    expect(asked.filter((what) => what === 'initialize')).toHaveLength(1);
  });

  it('gets a new session when it has lost ours, and runs the call once', async () => {
    const { server, asked, forgetSessions } = await rogueHttp();
    const write = await toolOf(server, 'remote.write');
    forgetSessions();
    expect(await call(write)).toBe('did write');
    expect(asked).toEqual(['initialize', 'tools/list', 'write', 'initialize', 'write']);
  });

  it('is reported as refusing our credentials', async () => {
    const { server } = await rogueHttp(to('initialize', 1, (response) => response.writeHead(401).end()));
    expect(await refusalOf(server)).toBe('MCP_UNAUTHORIZED: server "remote" refused our credentials: HTTP 401');
  });

  it('is reported as unreachable, or as no MCP server', async () => {
    const { server } = await rogueHttp(
      to('initialize', 1, (response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('no such page')),
    );
    expect(await refusalOf(server)).toBe('MCP_REFUSED: server "remote" refused connect with HTTP 404: no such page');
    const page = await rogueHttp(to('initialize', 1, (response) => response.end('<html>')));
    expect(await refusalOf(page.server)).toContain('MCP_ANSWER_INVALID: server "remote"');
    const port = await freePort();
    expect(await refusalOf({ ...server, url: `http://127.0.0.1:${port}/mcp` })).toBe(
      `MCP_UNREACHABLE: server "remote" cannot be reached at 127.0.0.1:${port}: nobody listens there`,
    );
    expect(await refusalOf({ ...server, url: 'localhost' })).toContain('has no http or https address');
  });

  it('tells the wait after too many requests', async () => {
    const { server } = await rogueHttp(
      to('read', 1, (response) => response.writeHead(429, { 'retry-after': '7' }).end()),
    );
    expect(await fail(await toolOf(server, 'remote.read'))).toMatchObject({
      code: 'MCP_RATE_LIMITED',
      retry: 'may',
      fate: 'refused',
      retryAfter: 7_000,
    });
  });

  it('is asked again after a lost connection only when the call is repeatable', async () => {
    const cut = (what: string) => to(what, 1, (response) => response.destroy());
    const reading = await rogueHttp(cut('read'));
    expect(await call(await toolOf(reading.server, 'remote.read'))).toBe('did read');
    const writing = await rogueHttp(cut('write'));
    expect(await fail(await toolOf(writing.server, 'remote.write'))).toMatchObject({
      code: 'MCP_CONNECTION_LOST',
      fate: 'unknown',
    });
    expect(writing.asked.filter((what) => what === 'write')).toHaveLength(1);
  });

  it('fails the call at once when its stream breaks off', async () => {
    const { server } = await rogueHttp(
      to('write', 1, (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end()),
    );
    expect(await fail(await toolOf(server, 'remote.write'))).toMatchObject({ fate: 'unknown' });
  });

  it('cannot exhaust memory with a response', async () => {
    const long = to('read', 1, (response) => {
      response.setHeader('content-type', 'application/json');
      response.end('x'.repeat(41_000_000));
    });
    const { server } = await rogueHttp(long);
    expect(await fail(await toolOf(server, 'remote.read'))).toMatchObject({ code: 'MCP_RESULT_TOO_LARGE' });
  });

  it('may fail with an error of its own', async () => {
    const { server } = await rogueHttp(to('write', 1, (response) => response.writeHead(500).end('out of order')));
    expect(await fail(await toolOf(server, 'remote.write'))).toMatchObject({
      code: 'MCP_REFUSED',
      fate: 'unknown',
      message: expect.stringContaining('HTTP 500: out of order'),
    });
  });
});
