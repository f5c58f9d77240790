// The thread with @opentelemetry/sdk-node: settings of OpenTelemetry reach its SDK, and spans keep the ids of the journal.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findSdk, type SdkPackage } from '../../src/otel/sdk/find-sdk.ts';
import { openSdk, type SdkTelemetry } from '../../src/otel/sdk/open-sdk.ts';
import type { DriveOptions, Engine } from '../../src/runtime/api/engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { recordsOf, type SpanRecord } from '../../src/telemetry/span-record.ts';
import { typedValues } from '../../src/telemetry/typed-values.ts';
import { engineOf, pathTo } from '../runtime/set-up.ts';
import { root } from '../sources.ts';
import { openGrpcReceiver } from './grpc-receiver.ts';
import { nanos, openReceiver, type ReceivedSpan } from './receiver.ts';

const sdk = findSdk(root);
if (sdk === undefined) throw new Error('@opentelemetry/sdk-node is not installed');

type Variables = Readonly<Record<string, string>>;

interface Opened extends SdkTelemetry {
  readonly said: string[];
  readonly printed: string[];
}

function opened(engine: Engine, variables: Variables, from: SdkPackage | undefined = sdk): Opened {
  const [said, printed]: [string[], string[]] = [[], []];
  const telemetry = openSdk(engine, {
    sdk: from as SdkPackage,
    variables: { PATH: process.env.PATH, ...variables },
    say: (text) => said.push(text),
    print: (text) => printed.push(text),
  });
  return { ...telemetry, said, printed };
}

const two = {
  reconverge: 1,
  name: 'two',
  steps: [
    { name: 'a', handler: 'work' },
    { name: 'b', handler: 'work', dependencies: ['a'] },
  ],
};

const repaired = join(root, 'templates/replan-what-failed.yaml');
const branches = { folder: join(root, 'templates/data/branches') };

/** Runs a template with telemetry, from start to end. */
async function traced(
  variables: Variables,
  { file = two, input = {}, ...more }: { file?: string | object; input?: object } & DriveOptions = {},
) {
  const engine = engineOf({ journal: openMemoryJournal() });
  const telemetry = opened(engine, variables);
  const template = await engine.load(file as string);
  if (!template.ok) throw new Error(JSON.stringify(template.error));
  const run = await engine.start(template.value, {
    input: input as never,
    onEvents: telemetry.onEvents,
    ...more,
  });
  if (!run.ok) throw new Error(JSON.stringify(run.error));
  await run.value.done;
  const undelivered = await telemetry.close(20_000);
  const read = engine.read(run.value.id);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const records = recordsOf(read.value.template, read.value.events, { blob: read.value.blob });
  return { ...telemetry, undelivered, records };
}

function expected(record: SpanRecord) {
  return {
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
  };
}

function sorted<T extends { readonly spanId: string }>(spans: readonly T[]): readonly T[] {
  return [...spans].sort((a, b) => (a.spanId < b.spanId ? -1 : 1));
}

const bare = ({ kind: _, resource: __, ...span }: ReceivedSpan) => span;

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the thread of the OpenTelemetry SDK', () => {
  it('sends the spans of the journal over HTTP, with metrics, and takes resources from the environment', async () => {
    const { url, spans, requests } = await openReceiver();
    const { undelivered, records, said } = await traced(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_SERVICE_NAME: 'nightly-audit',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
        OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=blue',
      },
      { file: repaired, input: branches },
    );
    expect({ undelivered, said }).toEqual({ undelivered: {}, said: [] });
    expect(sorted(spans().map(bare))).toEqual(sorted(records.map(expected)));
    expect(spans()[0]?.resource).toMatchObject({
      'service.name': 'nightly-audit',
      'deployment.environment.name': 'test',
      'host.name': expect.any(String),
    });
    expect(spans()[0]?.resource).not.toHaveProperty(['process.command_args']);
    expect(requests[0]?.headers['x-tenant']).toBe('blue');
    expect(requests.filter(({ path }) => path === '/v1/metrics')).toHaveLength(1);
  });

  it('sends spans over gRPC, and says nothing of metrics that a backend for traces does not take', async () => {
    const { url, spans } = await openGrpcReceiver(['/opentelemetry.proto.collector.trace.v1.TraceService/Export']);
    const { undelivered, records } = await traced({
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    });
    expect(undelivered).toEqual({});
    expect(sorted(spans().map(bare))).toEqual(sorted(records.map(expected)));
  });

  it('prints spans with the console exporter, and describes the process if a detector is named', async () => {
    const { printed } = await traced({ OTEL_TRACES_EXPORTER: 'console', OTEL_NODE_RESOURCE_DETECTORS: 'process' });
    expect(printed.join('').match(/^ {2}name: '.*'/gm)).toHaveLength(5);
    expect(printed.join('')).toContain("'service.name': 'reconverge'");
    expect(printed.join('')).toContain(`'process.pid': ${process.pid}`);
  });

  it('keeps the ids of the journal with a configuration file', async () => {
    const { url, spans } = await openReceiver();
    const config = pathTo('otel.yaml');
    writeFileSync(
      config,
      `file_format: "1.0"
resource:
  attributes: [{ name: service.name, value: from-file }]
tracer_provider:
  processors:
    - batch: { exporter: { otlp_http: { endpoint: "${url}/v1/traces" } } }
`,
    );
    const { undelivered, records, said } = await traced({ OTEL_CONFIG_FILE: config });
    expect({ undelivered, said }).toEqual({ undelivered: {}, said: [] });
    expect(sorted(spans().map(bare))).toEqual(sorted(records.map(expected)));
    expect(spans()[0]?.resource).toMatchObject({ 'service.name': 'from-file' });
  });

  it('sends log lines in the trace of their step, if logs have an exporter or an endpoint of their own', async () => {
    const { url, requests } = await openReceiver();
    const OTEL_EXPORTER_OTLP_LOGS_ENDPOINT = `${url}/v1/logs`;
    const { onLogs, close } = opened(engineOf({ journal: openMemoryJournal() }), {
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT,
      OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: 'http/json',
    });
    const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const line = { run: 'r1', step: 'a', attempt: 1, at: 1_700_000_000_000, level: 'warn', message: 'slow' } as const;
    onLogs([{ ...line, data: { ms: 900 }, traceparent: `00-${trace}-${span}-01` }]);
    expect(await close(20_000)).toEqual({});
    const [{ resourceLogs }] = requests.map(({ body }) => JSON.parse(body.toString()));
    expect(resourceLogs[0].scopeLogs[0].logRecords).toMatchObject([
      {
        severityNumber: 13,
        severityText: 'WARN',
        body: { stringValue: 'slow' },
        traceId: trace,
        spanId: span,
        attributes: expect.arrayContaining([
          { key: 'ms', value: { intValue: 900 } },
          { key: 'reconverge.step.id', value: { stringValue: 'a' } },
        ]),
      },
    ]);
    expect(requests.map(({ path }) => path)).toEqual(['/v1/logs']);
  });

  it('samples whole traces as the sampler and the caller decide', async () => {
    const { url, spans } = await openReceiver();
    const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = `${url}/v1/traces`;
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
    const none = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
    expect((await traced({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, ...none })).undelivered).toEqual({});
    await traced({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT }, { traceparent });
    expect(spans()).toEqual([]);
    await traced({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_TRACES_SAMPLER: 'always_on' }, { traceparent });
    expect(spans()).toHaveLength(5);
    expect(new Set(spans().map(({ traceId }) => traceId))).toEqual(new Set(['0af7651916cd43dd8448eb211c80319c']));
  });

  it('tells which spans, metrics and settings did not work, and why', async () => {
    const refused = await traced({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_PROPAGATORS: 'pigeon' });
    expect(refused.said.join('\n')).toMatch(/"pigeon"/);
    expect(refused.undelivered.traces).toEqual({ lost: 5, why: expect.stringContaining('127.0.0.1:9') });
    const url = await listening(createServer((_, response) => response.writeHead(403).end('no key')));
    const forbidden = await traced({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    expect(forbidden.undelivered).toEqual({
      traces: { lost: 5, why: expect.stringContaining('403') },
      metrics: { why: expect.stringContaining('403') },
    });
  });

  /** Runs two steps with telemetry, and answers what was lost when it is closed after `before`. */
  async function lostAt(within: number, { onEvents, close }: Opened, engine: Engine, before?: Promise<unknown>) {
    const template = await engine.load(two as never);
    if (!template.ok) throw new Error(JSON.stringify(template.error));
    const run = await engine.start(template.value, { onEvents });
    if (!run.ok) throw new Error(JSON.stringify(run.error));
    await run.value.done;
    await before;
    return (await close(within)).traces;
  }

  it('ends in time although the endpoint is silent', async () => {
    const server = createServer(() => {});
    const url = await listening(server);
    const engine = engineOf({ journal: openMemoryJournal() });
    const telemetry = opened(engine, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: '1' });
    const lost = await lostAt(100, telemetry, engine, once(server, 'request'));
    expect(lost).toEqual({ lost: 5, why: 'no answer within 100ms' });
  });

  it('ends in time although the SDK is still loading, and says so', async () => {
    const endless = join(mkdtempSync(join(tmpdir(), 'sdk-')), 'endless.cjs');
    onTestFinished(() => rmSync(dirname(endless), { recursive: true }));
    writeFileSync(endless, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);');
    const engine = engineOf({ journal: openMemoryJournal() });
    const telemetry = opened(engine, { OTEL_TRACES_EXPORTER: 'console' }, { path: endless, version: '0.0.0' });
    expect(await lostAt(10, telemetry, engine)).toEqual({
      lost: 5,
      why: 'the OpenTelemetry SDK was still loading after 10ms; OTEL_BSP_EXPORT_TIMEOUT=40 waits longer',
    });
  });
});
