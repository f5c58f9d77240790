// The trace context that goes out with requests: what other services receive, with telemetry and without.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { context, propagation, type TextMapPropagator, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { fromAiSdk } from '../../src/llm/from-ai-sdk.ts';
import type { Engine, StartOptions } from '../../src/runtime/api/engine.ts';
import type { EngineOptions } from '../../src/runtime/api/engine-options.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { recordsOf, type SpanRecord } from '../../src/telemetry/span-record.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { engineOf, good, pathTo } from '../runtime/set-up.ts';

/** An HTTP server on loopback that keeps the headers of its requests; `/away` redirects to another origin. */
async function listening(
  to?: string,
): Promise<{ readonly url: string; readonly headers: readonly IncomingHttpHeaders[] }> {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    if (request.url === '/away') response.writeHead(307, { location: to ?? '' }).end();
    else response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, headers };
}

interface Told {
  readonly engine: Engine;
  readonly run: string;
  readonly records: readonly SpanRecord[];
  readonly output: unknown;
}

async function told(template: object, options: EngineOptions = {}, start: StartOptions = {}): Promise<Told> {
  const engine = engineOf({ journal: openMemoryJournal(), ...options });
  const handle = good(await engine.start(good(await engine.load({ reconverge: 1, ...template } as never)), start));
  const { status, failure, output } = await handle.done;
  expect([status, failure]).toEqual(['completed', undefined]);
  return { engine, run: handle.id, records: recordsIn(engine, handle.id), output };
}

function recordsIn(engine: Engine, run: string): readonly SpanRecord[] {
  const { template, events, blob } = good(engine.read(run));
  return recordsOf(template, events, { blob });
}

/** The W3C context of the only span with this name. */
function contextOf(records: readonly SpanRecord[], name: string, flags = '01'): string {
  const [found, ...more] = records.filter((each) => each.name === name);
  if (found === undefined || more.length > 0) throw new Error(`${more.length + 1} spans are called ${name}`);
  return `00-${found.trace}-${found.span}-${flags}`;
}

const get = (url: string) => ({
  name: 'gets',
  capabilities: ['http.get'],
  http: { allow: ['127.0.0.1:*'], private: true },
  steps: [{ name: 'a', handler: 'http.get', input: { url } }],
});

describe('without telemetry, the id of the span that an export will have', () => {
  it('goes out with each HTTP call, also after a redirect to another origin', async () => {
    const there = await listening();
    const here = await listening(`${there.url}/`);
    const { records } = await told(get(`${here.url}/away`));
    const expected = contextOf(records, 'execute_tool http.get');
    expect([...here.headers, ...there.headers].map(({ traceparent }) => traceparent)).toEqual([expected, expected]);
  });

  it('gives way to a header that the template sets', async () => {
    const { url, headers } = await listening();
    const template = get(url);
    const [step] = template.steps;
    const own = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await told({ ...template, steps: [{ ...step, input: { url, headers: { Traceparent: own } } }] });
    expect(headers.map(({ traceparent }) => traceparent)).toEqual([own]);
  });

  it('is part of the trace of the caller, with its vendor data and its decision', async () => {
    const { url, headers } = await listening();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
    const { records } = await told(get(url), {}, { traceparent, tracestate: 'vendor=7' });
    expect(headers).toMatchObject([
      { traceparent: contextOf(records, 'execute_tool http.get', '00'), tracestate: 'vendor=7' },
    ]);
    expect(records[0]).toMatchObject({ trace: '0af7651916cd43dd8448eb211c80319c', parent: 'b7ad6b7169203331' });
  });

  it('goes out with requests to models and with the tool calls of an agent', async () => {
    const script = [
      { when: { turn: 1 }, reply: { toolCalls: [{ name: 'tell', arguments: {} }] } },
      { reply: { json: { said: 'yes' } } },
    ];
    const server = await openModelServer({ script });
    onTestFinished(() => server.close());
    const tell = defineCapability({
      name: 'tell',
      description: 'Tells its context.',
      effects: ['read'],
      run: (_, { traceparent = '' }) => ({ traceparent }),
    });
    const { records, engine, run } = await told(
      {
        name: 'asks',
        models: { default: { model: 'gpt-5-mini', base_url: server.url } },
        agents: { teller: { prompt: 'You tell.', tools: ['tell'], output: '{said :string}' } },
        steps: [{ name: 'ask', agent: 'teller', description: 'Say yes.' }],
      },
      { capabilities: [tell] },
    );
    const chats = records.filter(({ name }) => name === 'chat gpt-5-mini');
    expect(server.requests.map(({ headers }) => headers.traceparent)).toEqual(
      chats.map(({ trace: id, span }) => `00-${id}-${span}-01`),
    );
    expect(chats).toHaveLength(2);
    expect(chats[0]?.attributes).toMatchObject({
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(server.url).port),
      'gen_ai.output.type': 'json',
    });
    const { events, blob } = good(engine.read(run));
    const ended = events.flatMap(({ event }) => (event.type === 'call.ended' ? [event] : []));
    const [, called] = ended.map(({ value }) =>
      value === undefined || 'value' in value ? value?.value : blob(value.digest),
    );
    expect(called).toEqual({ traceparent: contextOf(records, 'execute_tool tell') });
  });

  it('goes out with embeddings', async () => {
    const server = await openModelServer();
    onTestFinished(() => server.close());
    const capabilities = ['drive.list_files', 'shop.list_files'].map((name) =>
      defineCapability({
        name,
        description: `Lists the files of ${name}`,
        effects: ['read'],
        input: '{}',
        run: () => ({}),
      }),
    );
    const engine = engineOf({ journal: openMemoryJournal(), capabilities });
    const template = {
      reconverge: 1,
      name: 'compared',
      embeddings: { model: 'embedder', base_url: server.url, prices: { input: '$1' } },
      steps: [
        {
          name: 'plan',
          type: 'planning',
          planner: { kind: 'pattern' },
          goal: 'List the files',
          convergence_target: 'end',
        },
        { name: 'end', type: 'deferred', dependencies: ['plan'] },
      ],
    };
    const handle = good(await engine.start(good(await engine.load(template))));
    await handle.done;
    const records = recordsIn(engine, handle.id);
    expect(server.requests.map(({ headers }) => headers.traceparent)).toEqual([
      contextOf(records, 'embeddings embedder'),
    ]);
    expect(records.find(({ kind }) => kind === 'embeddings')?.attributes).toMatchObject({
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.request.model': 'embedder',
      'server.address': '127.0.0.1',
    });
  });

  it('goes out through the AI SDK, which names the provider', async () => {
    const usage = {
      inputTokens: { total: 12, noCache: 4, cacheRead: 3, cacheWrite: 5 },
      outputTokens: { total: 6, text: 4, reasoning: 2 },
    };
    const model = new MockLanguageModelV4({
      provider: 'anthropic.messages',
      modelId: 'claude-sonnet-5',
      doGenerate: {
        content: [{ type: 'text', text: '{"said":"yes"}' }],
        finishReason: { unified: 'stop', raw: 'end_turn' },
        usage,
        warnings: [],
      },
    });
    const { records } = await told(
      {
        name: 'asks',
        models: { default: { model: 'claude-sonnet-5' } },
        agents: { teller: { prompt: 'You tell.', output: '{said :string}' } },
        steps: [{ name: 'ask', agent: 'teller', description: 'Say yes.' }],
      },
      { models: { default: fromAiSdk(model) } },
    );
    const chat = records.find(({ kind }) => kind === 'model');
    expect(model.doGenerateCalls.map(({ headers }) => headers?.traceparent)).toEqual([
      `00-${chat?.trace}-${chat?.span}-01`,
    ]);
    expect(chat?.attributes).toMatchObject({
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.cache_read.input_tokens': 3,
      'gen_ai.usage.cache_creation.input_tokens': 5,
      'gen_ai.usage.output_tokens': 6,
      'gen_ai.usage.reasoning.output_tokens': 2,
    });
  });

  it('goes out with calls of MCP servers over stdio and HTTP, where the protocol has a place for it', async () => {
    const log = pathTo('asked.jsonl');
    writeFileSync(pathTo('server.mjs'), stdioServer(log));
    const remote = await mcpOverHttp();
    const { records } = await told(
      {
        name: 'calls',
        capabilities: [
          { mcp: { name: 'near', command: process.execPath, args: [pathTo('server.mjs')] } },
          { mcp: { name: 'far', url: remote.url } },
        ],
        steps: [
          { name: 'a', handler: 'near.echo' },
          { name: 'b', handler: 'far.echo', dependencies: ['a'] },
        ],
      },
      {},
      { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'vendor=7' },
    );
    const near = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(near).toMatchObject([
      {
        traceparent: contextOf(records, 'execute_tool near.echo'),
        tracestate: 'vendor=7',
        'reconverge/idempotency_key': expect.any(String),
      },
    ]);
    expect(remote.metas).toMatchObject([
      { traceparent: contextOf(records, 'execute_tool far.echo'), tracestate: 'vendor=7' },
    ]);
  });

  it('is known to isolated handlers and to programs', async () => {
    const define = JSON.stringify(new URL('../../src/index.ts', import.meta.url).href);
    writeFileSync(
      pathTo('apart.mjs'),
      `import { defineCapability } from ${define};
export default defineCapability({ name: 'apart', description: 'Tells.', effects: ['compute'], run: (_, ctx) => ({ traceparent: ctx.traceparent, tracestate: ctx.tracestate ?? null }) });`,
    );
    const { records, output } = await told({
      name: 'apart',
      roots: ['.'],
      capabilities: [{ module: { file: './apart.mjs', isolate: 'thread' } }, 'shell.run'],
      steps: [
        { name: 'a', handler: 'apart' },
        { name: 'b', handler: 'shell.run', input: { program: 'sh', args: ['-c', 'printf %s "$TRACEPARENT"'] } },
      ],
    });
    expect(output).toMatchObject({
      a: { traceparent: contextOf(records, 'execute_tool apart'), tracestate: null },
      b: { stdout: contextOf(records, 'execute_tool shell.run') },
    });
  });

  it('is the parent of child runs', async () => {
    writeFileSync(
      pathTo('child.yaml'),
      'reconverge: 1\nname: child\ndescription: Works.\nsteps: [{ name: made, handler: work }]\n',
    );
    const { engine, run, records } = await told({
      name: 'parent',
      capabilities: [{ template: './child.yaml' }],
      steps: [{ name: 'sub', handler: 'child' }],
    });
    const child = engine.runs().find(({ parent }) => parent === run)?.id ?? '';
    const [root] = recordsIn(engine, child);
    expect(`00-${root?.trace}-${root?.parent}-01`).toBe(contextOf(records, 'execute_tool child'));
  });

  it.each([
    ['the engine', { propagation: false }],
    ['the environment', { surroundings: { OTEL_PROPAGATORS: 'none' } }],
  ])('stays here when %s says so', async (_, options) => {
    const { url, headers } = await listening();
    const tell = defineCapability({
      name: 'tell',
      description: 'Tells its context.',
      effects: ['read'],
      run: (__, { traceparent = '' }) => ({ traceparent }),
    });
    const template = get(url);
    const { output } = await told(
      { ...template, steps: [...template.steps, { name: 'b', handler: 'tell' }] },
      { capabilities: [tell], ...options },
    );
    expect(headers.map(({ traceparent }) => traceparent)).toEqual([undefined]);
    expect(output).toMatchObject({ b: { traceparent: '' } });
  });
});

describe('the propagator of the program', () => {
  it('writes the headers of requests', async () => {
    trace.setGlobalTracerProvider(new TracerProvider());
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const b3: TextMapPropagator = {
      fields: () => ['b3'],
      extract: (given) => given,
      inject(given, carrier, setter) {
        const span = trace.getSpanContext(given);
        setter.set(carrier, 'b3', `${span?.traceId}-${span?.spanId}-1`);
      },
    };
    propagation.setGlobalPropagator(b3);
    onTestFinished(() => {
      for (const api of [trace, context, propagation]) api.disable();
    });
    const { url, headers } = await listening();
    const { records } = await told(get(url));
    const [, id, span] = contextOf(records, 'execute_tool http.get').split('-');
    expect(headers.map(({ traceparent, b3: written }) => [traceparent, written])).toEqual([
      [undefined, `${id}-${span}-1`],
    ]);
  });
});

/** An MCP server over stdio that notes the `_meta` of each tool call. */
function stdioServer(log: string): string {
  return `import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const tools = [{ name: 'echo', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }];
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  if (method === 'tools/call') appendFileSync(${JSON.stringify(log)}, JSON.stringify(params._meta) + '\\n');
  const result = method === 'initialize'
    ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'near', version: '1' } }
    : method === 'tools/list' ? { tools } : { content: [{ type: 'text', text: 'done' }] };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
}`;
}

async function mcpOverHttp(): Promise<{ readonly url: string; readonly metas: readonly unknown[] }> {
  const metas: unknown[] = [];
  const tools = [{ name: 'echo', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }];
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let text = '';
    request.on('data', (piece) => {
      text += piece;
    });
    request.on('end', () => {
      const { id, method, params } = JSON.parse(text);
      if (id === undefined) return void response.writeHead(202).end();
      if (method === 'tools/call') metas.push(params._meta);
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'far', version: '1' },
        },
        'tools/list': { tools },
      };
      const result = results[method] ?? { content: [{ type: 'text', text: 'done' }] };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`, metas };
}
