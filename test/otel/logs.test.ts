// Log lines as log records of OpenTelemetry: from reconverge/otel, and in the provider of a program.
import { logs, trace } from '@opentelemetry/api';
import { logs as olderLogs } from '@opentelemetry/api-logs';
import { InMemoryLogRecordExporter, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, describe, expect, it } from 'vitest';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { KeptLogLine } from '../../src/engine/record/log-line.ts';
import { openTelemetry } from '../../src/otel/index.ts';
import type { DriveOptions, Engine } from '../../src/runtime/api/engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { recordsOf, type SpanRecord } from '../../src/telemetry/span-record.ts';
import { engineOf, good } from '../runtime/set-up.ts';

afterEach(() => {
  logs.disable();
  olderLogs.disable();
  trace.disable();
});

const talking = defineCapability({
  name: 'work',
  description: 'Logs.',
  effects: ['compute'],
  run: (_, ctx) => {
    ctx.log.warn('slow page', { ms: 900, tags: ['a'], 'reconverge.step.id': 'forged' });
    ctx.log.from('ffmpeg').debug('frame 1');
    return { n: 1 };
  },
});

const one = { reconverge: 1, name: 'one', steps: [{ name: 'a', handler: 'work' }] };

const engineHere = (): Engine => engineOf({ journal: openMemoryJournal(), capabilities: [talking], surroundings: {} });

interface Ran {
  readonly lines: readonly KeptLogLine[];
  readonly spans: readonly SpanRecord[];
}

async function ran(engine: Engine, options: DriveOptions = {}): Promise<Ran> {
  const handle = good(await engine.start(good(await engine.load(one)), options));
  await handle.done;
  await new Promise((resolve) => setTimeout(resolve, 0));
  const { template, events, blob } = good(engine.read(handle.id));
  const lines = good(engine.logs(handle.id));
  return { lines, spans: recordsOf(template, events, { blob }) };
}

/** The span of the attempt, whose name is that of its tool. */
const attemptIn = (spans: readonly SpanRecord[]) => spans.find(({ kind }) => kind === 'attempt');

function memory() {
  const exporter = new InMemoryLogRecordExporter();
  const processor = new SimpleLogRecordProcessor({ exporter });
  return { processor, records: () => exporter.getFinishedLogRecords() };
}

describe('log records', () => {
  it('go to the processors of reconverge/otel, and lines keep the trace context of their call', async () => {
    const { processor, records } = memory();
    const engine = engineHere();
    const telemetry = await openTelemetry(engine, {
      spanProcessors: [],
      metricReaders: [],
      logRecordProcessors: [processor],
    });
    const { spans, lines } = await ran(engine, { onEvents: telemetry.onEvents, onLogs: telemetry.onLogs });
    const attempt = attemptIn(spans);
    expect(lines[0]?.traceparent).toBe(`00-${attempt?.trace}-${attempt?.span}-01`);
    expect(records().map(({ spanContext, severityText, body }) => [spanContext?.spanId, severityText, body])).toEqual([
      [attempt?.span, 'WARN', 'slow page'],
      [attempt?.span, 'DEBUG', 'frame 1'],
    ]);
    expect(records()[0]?.attributes).toMatchObject({ ms: 900, tags: ['a'], 'reconverge.step.id': 'a' });
    await telemetry.close();
  });

  it.each([
    ['@opentelemetry/api', (provider: LoggerProvider) => logs.setGlobalLoggerProvider(provider)],
    ['@opentelemetry/api-logs', (provider: LoggerProvider) => olderLogs.setGlobalLoggerProvider(provider as never)],
  ])(
    'go to the logger provider that a program has registered with %s, in the spans of its tracer',
    async (_, register) => {
      const { processor, records } = memory();
      register(new LoggerProvider({ processors: [processor] }));
      const exported = new InMemorySpanExporter();
      const tracers = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: exported })] });
      trace.setGlobalTracerProvider(tracers);
      await ran(engineHere());
      await expect.poll(records).toHaveLength(2);
      const spans = exported.getFinishedSpans().map((span) => ({ name: span.name, ...span.spanContext() }));
      const attempt = spans.find(({ name }) => name === 'execute_tool work');
      expect(records()[0]?.spanContext).toMatchObject({ traceId: attempt?.traceId, spanId: attempt?.spanId });
      expect(records()[0]?.instrumentationScope.name).toBe('reconverge');
    },
  );
});
