// The telemetry of running runs: real OTLP to a receiver on loopback, in one trace across processes.

import { join } from 'node:path';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { openTelemetry, type TelemetryOptions } from '../../src/otel/index.ts';
import type { DriveOptions, Engine, RunHandle } from '../../src/runtime/api/engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { recordsOf, type SpanRecord } from '../../src/telemetry/span-record.ts';
import { typedValues } from '../../src/telemetry/typed-values.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { engineOf, pathTo } from '../runtime/set-up.ts';
import { root } from '../sources.ts';
import { nanos, openReceiver, type ReceivedSpan, type Receiver } from './receiver.ts';

const kept = { ...process.env };
beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
});
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in kept)) delete process.env[name];
});

async function receiver(protocol = 'http/protobuf'): Promise<Receiver> {
  const opened = await openReceiver();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = opened.url;
  process.env.OTEL_EXPORTER_OTLP_PROTOCOL = protocol;
  return opened;
}

async function startIn(
  engine: Engine,
  file: string | object,
  input: object,
  options: DriveOptions,
): Promise<RunHandle> {
  const template = await engine.load(file as string);
  if (!template.ok) throw new Error(JSON.stringify(template.error));
  const run = await engine.start(template.value, { input: input as never, ...options });
  if (!run.ok) throw new Error(JSON.stringify(run.error));
  return run.value;
}

/** Runs the template whose plan is repaired, from start to end. */
async function traced(options?: TelemetryOptions, more: DriveOptions = {}, within?: number) {
  const engine = engineOf({ journal: openMemoryJournal() });
  const telemetry = await openTelemetry(engine, options);
  const file = join(root, 'templates/replan-what-failed.yaml');
  const run = await startIn(
    engine,
    file,
    { folder: join(root, 'templates/data/branches') },
    {
      onEvents: telemetry.onEvents,
      ...more,
    },
  );
  await run.done;
  return { undelivered: await telemetry.close(within), records: recordsIn(engine, run.id), run: run.id };
}

function recordsIn(engine: Engine, run: string): readonly SpanRecord[] {
  const read = engine.read(run);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return recordsOf(read.value.template, read.value.events, { blob: read.value.blob });
}

/** @param step the id of the span's step, if there are several spans of this name */
function named(spans: readonly ReceivedSpan[], name: string, step?: string): ReceivedSpan {
  const all = spans.filter((each) => each.name === name);
  const [found, ...more] = all.filter(
    ({ attributes }) => step === undefined || attributes['reconverge.step.id'] === step,
  );
  if (found === undefined || more.length > 0) throw new Error(`${more.length + 1} spans are called ${name}`);
  return found;
}

function sorted<T extends { readonly spanId: string }>(spans: readonly T[]): readonly T[] {
  return [...spans].sort((a, b) => (a.spanId < b.spanId ? -1 : 1));
}

describe('a run with telemetry', () => {
  for (const protocol of ['http/protobuf', 'http/json']) {
    it(`arrives over ${protocol} with the spans of its journal`, async () => {
      const { requests, spans } = await receiver(protocol);
      const { undelivered, records } = await traced();
      expect(undelivered).toEqual({ lost: 0 });
      expect(new Set(requests.map(({ type }) => type))).toEqual(
        new Set([protocol === 'http/json' ? 'application/json' : 'application/x-protobuf']),
      );
      const expected = records.map((record) => ({
        traceId: record.trace,
        spanId: record.span,
        parentSpanId: record.parent ?? '',
        name: record.name,
        start: nanos(record.startedAt, record.micros.start),
        end: nanos(record.endedAt, record.micros.end),
        attributes: {
          ...typedValues(record.attributes),
          ...(record.error === undefined ? {} : { 'error.type': record.error }),
        },
        events: record.events.map(({ name, attributes }) => ({ name, attributes: typedValues(attributes) })),
        links: record.links.map(({ to, relation }) => ({ spanId: to, attributes: { 'reconverge.link': relation } })),
        status: record.error === undefined ? { code: 0 } : { code: 2, message: record.error },
      }));
      const received = spans().map(({ kind: _, resource: __, ...span }) => span);
      expect(sorted(received)).toEqual(sorted(expected));
    });
  }

  it('carries the resource of this service and the attributes of the environment', async () => {
    const { spans, requests } = await receiver();
    process.env.OTEL_SERVICE_NAME = 'nightly-audit';
    process.env.OTEL_RESOURCE_ATTRIBUTES = 'deployment.environment.name=test';
    process.env.OTEL_EXPORTER_OTLP_HEADERS = 'x-tenant=blue';
    await traced();
    expect(spans()[0]?.resource).toMatchObject({
      'service.name': 'nightly-audit',
      'deployment.environment.name': 'test',
      'telemetry.sdk.language': 'nodejs',
    });
    expect(requests[0]?.headers['x-tenant']).toBe('blue');
  });

  it('links grafted steps to the attempt that planned them, and a repair to the plan it replaces', async () => {
    const { spans } = await receiver();
    await traced();
    const all = spans();
    const phase = named(all, 'phase');
    const repair = named(all, 'replan');
    const planned = (under: ReceivedSpan) =>
      all.find(({ parentSpanId, name }) => parentSpanId === under.spanId && name.startsWith('plan '));
    const failed = named(all, 'step', 'plan_checks.1/visits');
    expect(repair.parentSpanId).toBe(phase.spanId);
    expect(failed).toMatchObject({ parentSpanId: phase.spanId, status: { code: 2, message: 'VERIFICATION_FAILED' } });
    expect(failed.links).toEqual([{ spanId: planned(phase)?.spanId, attributes: { 'reconverge.link': 'brought' } }]);
    expect(repair.links).toEqual([{ spanId: planned(phase)?.spanId, attributes: { 'reconverge.link': 'replaces' } }]);
    expect(named(all, 'step', 'plan_checks~2.1/visits').links).toMatchObject([{ spanId: planned(repair)?.spanId }]);
    expect(phase.events.map(({ name }) => name)).toContain('replan.started');
  });

  it('is counted in metrics', async () => {
    const { requests } = await receiver('http/json');
    await traced();
    const sent = requests.filter(({ path }) => path === '/v1/metrics').map(({ body }) => body.toString());
    const names = [...new Set(sent.join('').match(/"name":"reconverge\.[^"]+"/g))];
    expect(names).toEqual(
      expect.arrayContaining(
        ['reconverge.steps', 'reconverge.phases', 'reconverge.replans', 'reconverge.budget.use'].map(
          (name) => `"name":"${name}"`,
        ),
      ),
    );
  });

  it('continues the trace of its caller', async () => {
    const { spans } = await receiver();
    const [trace, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    await traced({}, { traceparent: `00-${trace}-${parent}-01` });
    expect(new Set(spans().map(({ traceId }) => traceId))).toEqual(new Set([trace]));
    expect(named(spans(), 'run').parentSpanId).toBe(parent);
  });

  it('exports nothing if the sampler or the caller decided against it', async () => {
    const { spans } = await receiver();
    await traced({}, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' });
    process.env.OTEL_TRACES_SAMPLER = 'always_off';
    await traced();
    process.env.OTEL_TRACES_SAMPLER = 'traceidratio';
    process.env.OTEL_TRACES_SAMPLER_ARG = '0';
    await traced();
    expect(spans()).toEqual([]);
  });

  it('goes to the span processors of an application', async () => {
    const exporter = new InMemorySpanExporter();
    const spanProcessors = [new SimpleSpanProcessor({ exporter })];
    const seen: string[] = [];
    const { shutdown } = exporter;
    exporter.shutdown = () => {
      seen.push(...exporter.getFinishedSpans().map(({ name }) => name));
      return shutdown.call(exporter);
    };
    const { records } = await traced({ spanProcessors, metricReaders: [] });
    expect(seen.sort()).toEqual(records.map(({ name }) => name).sort());
  });

  it('ends although no collector answers, and counts the lost spans', async () => {
    const { createServer } = await import('node:http');
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((listening) => silent.once('listening', listening));
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(silent.address() as { port: number }).port}`;
    const engine = engineOf({ journal: openMemoryJournal() });
    const telemetry = await openTelemetry(engine);
    const run = await startIn(
      engine,
      { reconverge: 1, name: 'one', steps: [{ name: 'a', handler: 'work' }] },
      {},
      {
        onEvents: telemetry.onEvents,
      },
    );
    expect((await run.done).status).toBe('completed');
    expect(await telemetry.close(20)).toEqual({ lost: 3, why: 'no answer within 20ms' });
    silent.closeAllConnections();
    silent.close();
  });

  it('gives the reason why no span was delivered', async () => {
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:9';
    const { undelivered } = await traced({}, {}, 20_000);
    expect(undelivered).toEqual({ lost: expect.any(Number), why: expect.stringContaining('127.0.0.1:9') });
  });
});

const SECRET = 'sk-not-to-be-seen-by-anybody';

describe('a resumed run', () => {
  it('continues its trace and exports no span twice', async () => {
    const { spans } = await receiver();
    const store = pathTo('runs.db');
    const document = {
      reconverge: 1,
      name: 'asks',
      steps: [
        { name: 'before', handler: 'work' },
        { name: 'review', type: 'human_review', dependencies: ['before'], prompt: 'Good?' },
        { name: 'after', handler: 'work', dependencies: ['review'] },
      ],
    };
    const first = engineOf({ store });
    const one = await openTelemetry(first);
    const run = await startIn(first, document, {}, { onEvents: one.onEvents });
    expect((await run.done).status).toBe('waiting');
    await one.close();
    const before = spans().map(({ name }) => name);
    expect(before).toContain('step');
    expect(before).not.toContain('run');
    const second = engineOf({ store });
    const two = await openTelemetry(second);
    const order = { type: 'review', gate: 'g1', verdict: 'answer', value: { approved: true }, by: 'ann' } as const;
    const ordered = await second.order(run.id, order, { onEvents: two.onEvents });
    if (!ordered.ok) throw new Error(JSON.stringify(ordered.error));
    expect((await ordered.value.handle?.done)?.status).toBe('completed');
    await two.close();
    const records = recordsIn(second, run.id);
    expect(sorted(spans()).map(({ spanId, name }) => ({ spanId, name }))).toEqual(
      sorted(records.map(({ span, name }) => ({ spanId: span, name }))),
    );
    expect(new Set(spans().map(({ traceId }) => traceId)).size).toBe(1);
    expect(named(spans(), 'gate review')).toMatchObject({ attributes: { 'reconverge.by': 'ann' } });
  });
});

describe('the content of a trace', () => {
  async function received(capture: boolean): Promise<readonly ReceivedSpan[]> {
    const { spans } = await receiver();
    const server = await openModelServer({
      key: SECRET,
      script: [
        { when: { turn: 1 }, reply: { toolCalls: [{ name: 'tell', arguments: { about: 'the-moon' } }] } },
        { reply: { json: { said: 'it-is-round' } } },
      ],
    });
    const tell = defineCapability({
      name: 'tell',
      description: 'Tells about something.',
      input: '{about :string}',
      effects: ['read'],
      run: ({ about }, { secret }) => ({ of: about, key: secret('MODEL_KEY') }),
    });
    const surroundings = { MODEL_KEY: SECRET, MODEL_URL: server.url };
    const engine = engineOf({ journal: openMemoryJournal(), capabilities: [tell], surroundings });
    const telemetry = await openTelemetry(engine);
    const document = {
      reconverge: 1,
      name: 'tells',
      capture_content: capture,
      models: { default: { model: 'gpt-5-mini', base_url: '${env.MODEL_URL}', api_key: '${secret.MODEL_KEY}' } },
      agents: { teller: { prompt: 'You tell.', tools: ['tell'], output: '{said :string}' } },
      steps: [{ name: 'ask', agent: 'teller', description: 'Say what it is.' }],
    };
    const run = await startIn(engine, document, {}, { onEvents: telemetry.onEvents });
    const report = await run.done;
    await telemetry.close();
    await server.close();
    expect(report.status).toBe('completed');
    return spans();
  }

  const textOf = (spans: readonly ReceivedSpan[]) =>
    JSON.stringify(spans, (_, each) => (typeof each === 'bigint' ? 0 : each));

  it('holds names and numbers, but no data unless the template allows it', async () => {
    const spans = await received(false);
    expect(textOf(spans)).not.toMatch(/the-moon|it-is-round|You tell|sk-not/);
    const [call] = spans.filter(({ name }) => name === 'chat gpt-5-mini');
    expect(call?.kind).toBe(3);
    expect(call?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5-mini',
      'gen_ai.response.finish_reasons': ['tool_calls'],
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
      'reconverge.cost_usd': expect.any(Number),
      'reconverge.model.purpose': 'turn',
    });
    expect(named(spans, 'execute_tool tell').attributes['gen_ai.tool.name']).toBe('tell');
    expect(named(spans, 'invoke_agent teller').attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'teller',
      'reconverge.llm_calls': 2,
    });
  });

  it('holds prompts, answers and results if the template allows it, but never a secret', async () => {
    const spans = await received(true);
    const text = textOf(spans);
    expect(text).toContain('You tell');
    expect(text).toContain('it-is-round');
    expect(named(spans, 'execute_tool tell').attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"about":"the-moon"}',
      'gen_ai.tool.call.result': '{"of":"the-moon","key":"***"}',
    });
    expect(text).not.toContain(SECRET);
  });
});
