// Agents that call several tools in one answer, against a real web server, in real processes that are killed on the way.

import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Script } from '../../src/llm/script.ts';
import { type ModelServer, openModelServer } from '../../src/testing/model-server.ts';
import { patience } from '../patience.ts';
import { begin, call, project } from './reconverge.ts';

/** A web server that holds its responses until a test lets them go. */
interface PageServer {
  readonly url: string;
  /** The pages of all requests, in order. */
  readonly asked: readonly string[];
  readonly mostAtOnce: () => number;
  readonly waiting: () => readonly string[];
  letGo(page?: string): void;
  close(): Promise<void>;
}

async function openPages(letsGo: (waiting: readonly string[]) => readonly string[]): Promise<PageServer> {
  const asked: string[] = [];
  const held = new Map<string, ServerResponse>();
  let most = 0;
  const answer = (page: string): void => {
    held.get(page)?.end(`this is ${page}`);
    held.delete(page);
  };
  const server: Server = createServer((request, response) => {
    const page = (request.url ?? '').slice(1);
    asked.push(page);
    held.set(page, response);
    most = Math.max(most, held.size);
    for (const each of letsGo([...held.keys()])) answer(each);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    mostAtOnce: () => most,
    waiting: () => [...held.keys()],
    letGo: (page) => (page === undefined ? [...held.keys()] : [page]).forEach(answer),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

let open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.map((each) => each.close()));
  open = [];
});

const templateFor = (pages: PageServer, model: ModelServer, keys = ''): string => `reconverge: 1
name: read-pages
models:
  default: { model: small, base_url: "${model.url}", prices: { input: $0, output: $0 }, max_retries: 0 }
capabilities: [catalog]
http: { allow: ["${pages.url.slice('http://'.length)}"], private: true }
agents:
  reader: { prompt: You read pages., tools: [http.get], ${keys} }
budget: { max_total_tool_calls: 100 }
steps:
  - { name: read, agent: reader, description: Read the pages., timeout: 4m }
`;

async function scene(
  names: readonly string[],
  {
    keys = '',
    letsGo = () => [] as readonly string[],
    times = 1,
  }: {
    readonly keys?: string;
    readonly letsGo?: (waiting: readonly string[]) => readonly string[];
    readonly times?: number;
  } = {},
) {
  const pages = await openPages(letsGo);
  const toolCalls = names.map((page) => ({ name: 'http_get', arguments: { url: `${pages.url}/${page}` } }));
  const script: Script = [
    { when: { turn: 1 }, reply: { toolCalls }, times },
    { reply: { text: 'All pages are read.' }, times: 'always' },
  ];
  const model = await openModelServer({ script });
  open.push(pages, model);
  const cwd = project({ 'read.yaml': templateFor(pages, model, keys) });
  return { cwd, pages, model };
}

/** The contents of tool messages in the last request to the model, in order. */
function resultsIn({ requests }: ModelServer): readonly string[] {
  const { messages } = present(requests.at(-1), 'request').body as {
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
  return messages.flatMap(({ role, content }) =>
    role === 'tool' ? (JSON.parse(content) as { text: string }).text : [],
  );
}

interface ShownCall {
  readonly call: number;
  readonly endedAt?: number;
}

const hasEnded = ({ endedAt }: ShownCall): boolean => endedAt !== undefined;

async function callsShown(cwd: string): Promise<readonly ShownCall[]> {
  const { stdout } = await call(['why', 'latest', 'read', '--json'], { cwd });
  return (JSON.parse(stdout) as { attempts: { calls: ShownCall[] }[] }).attempts.flatMap(({ calls }) => calls);
}

describe('an agent with max_parallel_tools: 20', () => {
  it('has twenty requests in flight at once, and reads the pages in the order of its calls', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `page-${n}`);
    // No response comes before the last request: calls one after another would never end.
    const letsGo = (waiting: readonly string[]) => (waiting.length === 20 ? waiting.toReversed() : []);
    const { cwd, pages, model } = await scene(names, { keys: 'max_parallel_tools: 20', letsGo });
    expect(await call(['run', 'read.yaml'], { cwd })).toMatchObject({ code: 0 });
    expect(pages.mostAtOnce()).toBe(20);
    expect(resultsIn(model)).toEqual(names.map((name) => `this is ${name}`));
  });
});

describe('an agent whose process is killed between its parallel calls', () => {
  it('repeats only the calls without a result when the run is resumed', async () => {
    const { cwd, pages, model } = await scene(['a', 'b', 'c']);
    const running = begin(['run', 'read.yaml'], { cwd });
    await vi.waitFor(() => expect(pages.waiting()).toEqual(['a', 'b', 'c']), patience);
    pages.letGo('a');
    pages.letGo('c');
    await vi.waitFor(async () => {
      expect((await callsShown(cwd)).filter(hasEnded).map((each) => each.call)).toEqual([1, 2, 4]);
    }, patience);
    running.child.kill('SIGKILL');
    expect((await running.ended).code).toBeNull();

    const again = begin(['resume', 'latest'], { cwd });
    await vi.waitFor(() => expect(pages.asked).toHaveLength(4), patience);
    pages.letGo();
    expect(await again.ended).toMatchObject({ code: 0 });
    expect(pages.asked.toSorted()).toEqual(['a', 'b', 'b', 'c']);
    expect(resultsIn(model)).toEqual(['this is a', 'this is b', 'this is c']);
    const why = await call(['why', 'latest', 'read'], { cwd });
    expect(why.stdout).toMatch(/call 1\.4 +capability http\.get \S+ beside 2 others/);
    expect(why.stdout).toContain('delivery 2: completed');
  });
});

describe('a run with parallel calls', () => {
  it('is checked by replay, repeated from its cassette, and forked between two of its calls', async () => {
    const { cwd, pages, model } = await scene(['a', 'b', 'c'], { times: 2 });
    const running = begin(['run', 'read.yaml', '--record', 'tape.json'], { cwd });
    await vi.waitFor(() => expect(pages.waiting()).toEqual(['a', 'b', 'c']), patience);
    pages.letGo('c');
    await vi.waitFor(async () => expect((await callsShown(cwd)).filter(hasEnded)).toHaveLength(2), patience);
    pages.letGo();
    expect(await running.ended).toMatchObject({ code: 0 });
    const first = (await call(['show', 'latest', '--json'], { cwd })).stdout;
    const { run } = JSON.parse(first) as { readonly run: string };
    expect(await call(['replay', run], { cwd })).toMatchObject({ code: 0 });
    expect(await call(['run', 'read.yaml', '--replay', 'tape.json'], { cwd })).toMatchObject({ code: 0 });
    expect(pages.asked).toHaveLength(3);

    const events = await call(['show', run, '--events'], { cwd });
    const [, at = ''] = /^ *(\d+) .*call\.ended +read +call 1\.4/m.exec(events.stdout) ?? [];
    const forked = begin(['fork', run, '--at', at], { cwd });
    await vi.waitFor(() => expect(pages.waiting()).toEqual(['a', 'b']), patience);
    pages.letGo();
    expect(await forked.ended).toMatchObject({ code: 0 });
    expect(pages.asked.toSorted()).toEqual(['a', 'a', 'b', 'b', 'c']);
    expect(resultsIn(model)).toEqual(['this is a', 'this is b', 'this is c']);
    const differences = await call(['diff', run, 'latest'], { cwd });
    expect(differences).toMatchObject({ code: 0 });
  });
});
