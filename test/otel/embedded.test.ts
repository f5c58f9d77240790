// A program that has OpenTelemetry of its own, with the real SDK: the spans of runs are part of its traces.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  type TracerProvider as AnyTracerProvider,
  type Attributes,
  context,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { openTelemetry } from '../../src/otel/index.ts';
import type { Engine, StartOptions } from '../../src/runtime/api/engine.ts';
import type { RunReport } from '../../src/runtime/api/run-report.ts';
import { findHost } from '../../src/runtime/trace/host.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { recordsOf, type SpanRecord } from '../../src/telemetry/span-record.ts';
import { typedValues } from '../../src/telemetry/typed-values.ts';
import { engineOf, pathTo } from '../runtime/set-up.ts';
import { root } from '../sources.ts';

/** Registers a provider as a program does, and returns the spans that have ended. */
function registered({
  sampler,
  provide = (provider) => provider,
}: {
  sampler?: Sampler;
  provide?: (provider: TracerProvider) => AnyTracerProvider;
} = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
    ...(sampler === undefined ? {} : { sampler }),
  });
  trace.setGlobalTracerProvider(provide(provider));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(forget);
  return { provider, tracer: provider.getTracer('program'), ended: () => exporter.getFinishedSpans() };
}

function forget(): void {
  trace.disable();
  context.disable();
  metrics.disable();
}

async function begin(engine: Engine, template: object | string, options: StartOptions = {}) {
  const loaded = await engine.load(template as string);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const run = await engine.start(loaded.value, options);
  if (!run.ok) throw new Error(JSON.stringify(run.error));
  return run.value;
}

async function finished(engine: Engine, template: object | string, options: StartOptions = {}): Promise<RunReport> {
  return (await begin(engine, template, options)).done;
}

function recordsIn(engine: Engine, run: string): readonly SpanRecord[] {
  const read = engine.read(run);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return recordsOf(read.value.template, read.value.events, { blob: read.value.blob });
}

/** A span as the tracer of a program and the export of a journal both tell it. */
function told({
  name,
  trace: traceId,
  span,
  parent,
  kind,
  startedAt,
  endedAt,
  micros,
  error,
  attributes,
  links,
  events,
}: SpanRecord) {
  return {
    name,
    traceId,
    span,
    parent,
    kind: kind === 'model' || kind === 'embeddings' ? SpanKind.CLIENT : SpanKind.INTERNAL,
    from: startedAt * 1_000 + micros.start,
    to: endedAt * 1_000 + micros.end,
    attributes: { ...typedValues(attributes), ...(error === undefined ? {} : { 'error.type': error }) } as Attributes,
    status: error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
    links: links.map(({ to, relation }) => [to, relation]),
    events: events.map(({ name: of, attributes: with_ }) => [of, typedValues(with_)]),
  };
}

function toldOfHost(span: ReadableSpan): ReturnType<typeof told> {
  const { traceId, spanId } = span.spanContext();
  const micros = ([seconds, nanoseconds]: readonly [number, number]): number =>
    seconds * 1_000_000 + nanoseconds / 1_000;
  return {
    name: span.name,
    traceId,
    span: spanId,
    parent: span.parentSpanContext?.spanId,
    kind: span.kind,
    from: micros(span.startTime),
    to: micros(span.endTime),
    attributes: span.attributes,
    status: span.status as ReturnType<typeof told>['status'],
    links: span.links.map(({ context: { spanId: to }, attributes }) => [to, attributes?.['reconverge.link'] as never]),
    events: span.events.map(({ name, attributes = {} }) => [name, attributes]),
  };
}

const bySpan = (one: { span: string }, other: { span: string }): number => (one.span < other.span ? -1 : 1);
const ownSpans = (spans: readonly ReadableSpan[]) =>
  spans.filter(({ instrumentationScope: { name } }) => name === 'reconverge');

/** `parent > child`, for each span. */
function treeOf(spans: readonly ReadableSpan[]): readonly string[] {
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  return spans.map(({ name, parentSpanContext }) => `${names.get(parentSpanContext?.spanId ?? '') ?? '-'} > ${name}`);
}

const one = { reconverge: 1, name: 'one', steps: [{ name: 'a', handler: 'work' }] };
const repaired = join(root, 'templates/replan-what-failed.yaml');
const asks = {
  reconverge: 1,
  name: 'asks',
  steps: [
    {
      name: 'plan',
      type: 'planning',
      goal: 'Ask.',
      convergence_target: 'after',
      planner: { kind: 'fixed', fragment: { steps: [{ name: 'review', type: 'human_review', prompt: 'Good?' }] } },
    },
    { name: 'after', type: 'deferred', dependencies: ['plan'] },
  ],
};
const yes = { type: 'review', gate: 'g1', verdict: 'answer', value: { approved: true }, by: 'ann' } as const;

describe('a run in a program with OpenTelemetry', () => {
  it('has the same spans in the tracer of the program as in an export of its journal', async () => {
    const { ended } = registered();
    const engine = engineOf({ journal: openMemoryJournal() });
    const { run } = await finished(engine, repaired, { input: { folder: join(root, 'templates/data/branches') } });
    const records = recordsIn(engine, run);
    expect(records.length).toBeGreaterThan(10);
    expect(ownSpans(ended()).map(toldOfHost).sort(bySpan)).toEqual(records.map(told).sort(bySpan));
  });

  it('is a child of the active span, and the HTTP instrumentation of the program nests under its steps', async () => {
    const { provider, tracer, ended } = registered();
    const instrumentation = new HttpInstrumentation({ disableIncomingRequestInstrumentation: true });
    instrumentation.setTracerProvider(provider);
    onTestFinished(() => instrumentation.disable());
    const http = createRequire(import.meta.url)('node:http') as typeof import('node:http');
    const server = createServer((_, response) => void response.end('{}'));
    await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const fetches = defineCapability({
      name: 'work',
      description: 'Asks a server.',
      effects: ['read'],
      run: (_, { traceparent }) =>
        new Promise<{ traceparent: string; active: string }>((resolve, reject) => {
          const active = trace.getActiveSpan()?.spanContext();
          http
            .get(`http://127.0.0.1:${port}/`, (response) =>
              response
                .resume()
                .on('end', () => resolve({ traceparent: traceparent ?? '', active: active?.spanId ?? '' })),
            )
            .on('error', reject);
        }),
    });
    const engine = engineOf({ journal: openMemoryJournal(), capabilities: [fetches] });
    const report = await tracer.startActiveSpan('POST /orders', async (span) => {
      const done = await finished(engine, one);
      span.end();
      return done;
    });
    expect(report.status).toBe('completed');
    const spans = ended();
    expect(treeOf(spans)).toEqual(
      expect.arrayContaining([
        '- > POST /orders',
        'POST /orders > run',
        'run > step',
        'step > execute_tool work',
        'execute_tool work > GET',
      ]),
    );
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
    const work = spans.find(({ name }) => name === 'execute_tool work')?.spanContext();
    expect(report.output).toMatchObject({
      a: { active: work?.spanId, traceparent: `00-${work?.traceId}-${work?.spanId}-01` },
    });
  });

  it('continues its trace in another process, under the same ids', async () => {
    const store = pathTo('runs.db');
    const before = registered();
    const first = engineOf({ store });
    const { run, status } = await finished(first, asks);
    expect(status).toBe('waiting');
    await first.close();
    forget();
    const after = registered();
    const second = engineOf({ store });
    const resumed = await after.tracer.startActiveSpan('POST /answer', async (span) => {
      const ordered = await second.order(run, yes);
      if (!ordered.ok) throw new Error(JSON.stringify(ordered.error));
      const report = await ordered.value.handle?.done;
      span.end();
      return report;
    });
    expect(resumed?.status).toBe('completed');
    const spans = [...ownSpans(before.ended()), ...ownSpans(after.ended())];
    expect(spans.map(toldOfHost).sort(bySpan)).toEqual(recordsIn(second, run).map(told).sort(bySpan));
    const request = after.ended().find(({ name }) => name === 'POST /answer');
    const own = spans.find(({ name }) => name === 'run');
    expect(request?.links.map(({ context: of }) => of.spanId)).toEqual([own?.spanContext().spanId]);
    expect(own?.links.map(({ context: of }) => of)).toMatchObject([
      { traceId: request?.spanContext().traceId, spanId: request?.spanContext().spanId },
    ]);
    expect(own?.spanContext().traceId).not.toBe(request?.spanContext().traceId);
  });

  it('stays in one trace when the tracer chooses ids itself; open spans end where the run rests', async () => {
    const foreign = (provider: TracerProvider): AnyTracerProvider => ({
      getTracer(name, version) {
        const tracer = provider.getTracer(name, version);
        return {
          startSpan: (...given) => tracer.startSpan(...given),
          startActiveSpan: (...given: readonly unknown[]) => Reflect.apply(tracer.startActiveSpan, tracer, given),
        } as Tracer;
      },
    });
    const { ended } = registered({ provide: foreign });
    const store = pathTo('runs.db');
    const first = engineOf({ store });
    const { run } = await finished(first, asks);
    const names = ownSpans(ended()).map(({ name, attributes }) => [name, attributes['reconverge.unfinished'] === true]);
    expect(names).toEqual(
      expect.arrayContaining([
        ['plan fixed', false],
        ['run', true],
        ['phase', true],
        ['gate review', true],
      ]),
    );
    await first.close();
    const ordered = await engineOf({ store }).order(run, yes);
    if (!ordered.ok) throw new Error(JSON.stringify(ordered.error));
    await ordered.value.handle?.done;
    const spans = ownSpans(ended());
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(spans.filter(({ name }) => name === 'run').map(({ attributes }) => attributes['reconverge.status'])).toEqual(
      [undefined, 'completed'],
    );
    const ids = new Set(spans.map((span) => span.spanContext().spanId));
    expect(ids.size).toBe(spans.length);
    expect(
      spans.filter(({ name, parentSpanContext }) => name !== 'run' && !ids.has(parentSpanContext?.spanId ?? '')),
    ).toEqual([]);
  });

  it('sends nothing that the sampler of the program does not want, and hands its decision on', async () => {
    const { ended } = registered({ sampler: new AlwaysOffSampler() });
    const tells = defineCapability({
      name: 'work',
      description: 'Tells its context.',
      effects: ['compute'],
      run: (_, { traceparent }) => ({ traceparent: traceparent ?? '' }),
    });
    const engine = engineOf({ journal: openMemoryJournal(), capabilities: [tells] });
    const { output } = await finished(engine, one);
    expect(output).toEqual({ a: { traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/) } });
    expect(ended()).toEqual([]);
  });

  it('is measured by the meter of the program', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const meters = new MeterProvider({ readers: [reader] });
    metrics.setGlobalMeterProvider(meters);
    onTestFinished(forget);
    const engine = engineOf({ journal: openMemoryJournal() });
    expect((await finished(engine, one)).status).toBe('completed');
    await meters.forceFlush();
    const names = exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) =>
        scopeMetrics.flatMap(({ metrics: all }) => all.map(({ descriptor }) => descriptor.name)),
      );
    expect(names).toEqual(expect.arrayContaining(['reconverge.runs', 'reconverge.steps', 'reconverge.step.duration']));
    await meters.shutdown();
  });

  it('is left to a listener that exports it, and to nobody when the engine is told so', async () => {
    const { ended } = registered();
    const engine = engineOf({ journal: openMemoryJournal() });
    const exporter = new InMemorySpanExporter();
    const telemetry = await openTelemetry(engine, {
      spanProcessors: [new SimpleSpanProcessor({ exporter })],
      metricReaders: [],
    });
    await finished(engine, one, { onEvents: telemetry.onEvents });
    expect(exporter.getFinishedSpans()).toHaveLength(3);
    await finished(engineOf({ journal: openMemoryJournal(), telemetry: false }), one);
    expect(ended()).toEqual([]);
    await finished(engine, one);
    expect(ended()).toHaveLength(3);
  });

  it('goes on when the telemetry of the program throws', async () => {
    const broken: AnyTracerProvider = {
      getTracer: () => ({
        startSpan(): Span {
          throw new Error('no spans today');
        },
        startActiveSpan: () => undefined as never,
      }),
    };
    registered({ provide: () => broken });
    const warned = new Promise<string>((resolve) => process.once('warning', ({ message }) => resolve(message)));
    const engine = engineOf({ journal: openMemoryJournal() });
    expect((await finished(engine, one)).status).toBe('completed');
    expect(await warned).toMatch(/^telemetry of run .* no spans today$/);
  });

  it('finds nothing where nothing is registered', async () => {
    expect(await findHost()).toBeUndefined();
    registered();
    expect(await findHost()).toBeDefined();
  });
});
