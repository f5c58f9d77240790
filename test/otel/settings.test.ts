// Telemetry settings from environment variables.
import { describe, expect, it } from 'vitest';
import { checkTelemetry } from '../../src/cli/doctor/check-telemetry.ts';
import { headersIn, isTelemetryWanted, portHint } from '../../src/otel/environment.ts';
import { notHeard, readSettings } from '../../src/otel/settings.ts';
import { checkSettings } from '../../src/otel/wrong-settings.ts';
import { root } from '../sources.ts';
import { openReceiver } from './receiver.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };

describe('the telemetry settings', () => {
  it('want telemetry if an endpoint, an exporter or a configuration file is set, unless it is switched off', () => {
    expect(isTelemetryWanted({})).toBe(false);
    expect(isTelemetryWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' })).toBe(false);
    expect(isTelemetryWanted(endpoint)).toBe(true);
    expect(isTelemetryWanted({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' })).toBe(true);
    expect(isTelemetryWanted({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://localhost:4318/v1/metrics' })).toBe(true);
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' };
    expect(isTelemetryWanted({ OTEL_EXPORTER_OTLP_ENDPOINT: '', ...own })).toBe(true);
    expect(isTelemetryWanted({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBe(false);
    expect(isTelemetryWanted({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBe(true);
    const off = { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' };
    expect(isTelemetryWanted({ ...endpoint, ...off })).toBe(false);
    expect(isTelemetryWanted({ OTEL_TRACES_EXPORTER: 'console' })).toBe(true);
    expect(isTelemetryWanted({ OTEL_CONFIG_FILE: 'otel.yaml' })).toBe(true);
  });

  it('send only the signals with an endpoint', () => {
    const traces = readSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' });
    expect(traces).toMatchObject({ traces: true, metrics: false });
    const metrics = readSettings({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://localhost:4318/v1/metrics' });
    expect(metrics).toMatchObject({ traces: false, metrics: true });
    expect(readSettings(endpoint)).toMatchObject({ traces: true, metrics: true });
  });

  it('choose protobuf unless JSON is set, for both signals or for one', () => {
    expect(readSettings(endpoint).protocol).toEqual({ traces: 'http/protobuf', metrics: 'http/protobuf' });
    expect(readSettings({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }).protocol.metrics).toBe('http/json');
    expect(readSettings({ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' }).protocol).toEqual({
      traces: 'http/json',
      metrics: 'http/protobuf',
    });
  });

  it('read numbers, and fall back to defaults for other text', () => {
    const batch = { OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_BSP_MAX_QUEUE_SIZE: 'many' };
    expect(readSettings(batch).batch).toEqual({ delay: 100, size: 512, queue: 65_536 });
    expect(readSettings({}).timeout).toBe(1_000);
    expect(readSettings({ OTEL_EXPORTER_OTLP_TIMEOUT: '10000' }).timeout).toBeUndefined();
  });

  it('warn about unknown values and name the fallback', () => {
    const unknown = {
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_TRACES_EXPORTER: 'console',
      OTEL_TRACES_SAMPLER: 'often',
      OTEL_PROPAGATORS: 'b3',
    };
    expect(notHeard(unknown)).toEqual([
      'OTEL_EXPORTER_OTLP_PROTOCOL is none of http/protobuf, http/json: http/protobuf is sent',
      'OTEL_TRACES_EXPORTER is none of otlp, none: otlp is used if an endpoint is set',
      expect.stringMatching(/^OTEL_TRACES_SAMPLER is none of always_on, .*: every run is traced$/),
      'OTEL_PROPAGATORS: not supported without @opentelemetry/sdk-node',
      'every OTEL_* variable works after: npm install @opentelemetry/sdk-node',
    ]);
    expect(
      notHeard({ ...endpoint, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_EXPORTER: '' }),
    ).toEqual([]);
  });
});

describe('values that nothing can be sent with', () => {
  it('are named with their mending, and leave the other exporters of a signal', () => {
    expect(checkSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' })).toMatchObject({
      variables: { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' },
      warnings: [
        'OTEL_EXPORTER_OTLP_ENDPOINT is "localhost:4318", so nothing is sent there: write http://localhost:4318',
      ],
    });
    const several = {
      OTEL_TRACES_EXPORTER: 'otlp,consle,console',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'nonsense',
      OTEL_METRICS_EXPORTER: 'zipkin',
    };
    expect(checkSettings(several)).toMatchObject({
      variables: { OTEL_TRACES_EXPORTER: 'console', OTEL_METRICS_EXPORTER: 'none' },
      warnings: [
        'OTEL_TRACES_EXPORTER is "consle", but takes otlp, console, zipkin, none',
        'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is "nonsense", so nothing is sent there: write http://HOST:PORT',
        'OTEL_METRICS_EXPORTER is "zipkin", but takes otlp, console, prometheus, none',
      ],
    });
  });

  it('are named when the SDK would replace or drop them, without repeating a secret', () => {
    const silent = {
      ...endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http',
      OTEL_TRACES_SAMPLER: 'often',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=blue,Authorization Bearer secret',
    };
    expect(checkSettings(silent).warnings).toEqual([
      'OTEL_EXPORTER_OTLP_PROTOCOL is "http", but takes grpc, http/protobuf, http/json',
      expect.stringMatching(/^OTEL_TRACES_SAMPLER is "often", but takes always_on, parentbased_always_on, /),
      'OTEL_EXPORTER_OTLP_HEADERS has a part without "=", which is not sent: write NAME=VALUE, with a comma between two',
    ]);
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: ' a = 1 , b=x=y%20z,' };
    expect(checkSettings({ ...endpoint, ...headers }).warnings).toEqual([]);
    expect(headersIn('a=50%,b=x%20y')).toEqual({ a: '50%', b: 'x y' });
  });

  it('are suspected when an endpoint has the port of the other protocol', () => {
    expect(portHint({ protocol: 'grpc', url: 'http://jaeger:4318' })).toContain('use 4317 for gRPC');
    expect(portHint({ protocol: 'http/json', url: 'http://jaeger:4317/v1/traces' })).toContain('use 4318');
    expect(portHint({ protocol: 'grpc', url: 'http://jaeger:4317' })).toBeUndefined();
  });

  it('are not found in an environment that the SDK understands', () => {
    for (const right of [
      endpoint,
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      { OTEL_TRACES_EXPORTER: 'console, otlp', OTEL_LOGS_EXPORTER: 'otlp' },
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318', OTEL_CONFIG_FILE: 'otel.yaml' },
    ])
      expect(checkSettings(right)).toEqual({ variables: right, warnings: [] });
  });

  it('are told by doctor', async () => {
    expect(await checkTelemetry({ OTEL_TRACES_EXPORTER: 'consle' }, root)).toMatchObject({
      ok: false,
      hint: 'OTEL_TRACES_EXPORTER is "consle", but takes otlp, console, zipkin, none',
    });
  });
});

describe('the check of doctor', () => {
  it('is quiet without telemetry, and tells what answers at each endpoint', async () => {
    expect(await checkTelemetry({}, root)).toMatchObject({ ok: true, detail: expect.stringContaining('off') });
    const { url, requests } = await openReceiver();
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=blue' };
    const found = await checkTelemetry({ ...variables, OTEL_METRICS_EXPORTER: 'console' }, root);
    expect(found).toMatchObject({
      ok: true,
      detail: expect.stringMatching(
        /^traces to http:.*\/v1\/traces \(http\/protobuf\): answers, metrics to console, by @opentelemetry\/sdk-node \d/,
      ),
    });
    expect(requests.map(({ headers }) => headers['x-tenant'])).toEqual(['blue']);
    for (const protocol of ['grpc', 'http/json']) {
      const dead = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_PROTOCOL: protocol };
      expect(await checkTelemetry(dead, root)).toMatchObject({
        ok: false,
        detail: expect.stringContaining('ECONNREFUSED'),
        hint: expect.stringContaining('start a collector at http://127.0.0.1:9'),
      });
    }
  });
});
