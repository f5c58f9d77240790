// The live listener: exports spans and metrics of running runs through the OpenTelemetry SDK.
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { LoggerProvider, type LogRecordProcessor } from '@opentelemetry/sdk-logs';
import { MeterProvider, type MetricReader, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  SamplingDecision,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { type Duration, durationText } from '../base/quantity.ts';
import type { Engine, Listener } from '../runtime/api/engine.ts';
import type { OnLogs } from '../runtime/logs/run-log.ts';
import { measureWith } from '../runtime/trace/meter.ts';
import { emitLines } from '../telemetry/emit-log.ts';
import { measurementsOf } from '../telemetry/metrics.ts';
import type { TraceContext } from '../telemetry/trace-ids.ts';
import type { Variables } from './environment.ts';
import { counting, type Delivery, metricExporter, traceExporter } from './exporters.ts';
import { type FollowedRun, followRuns } from './follow-runs.ts';
import { ownResource } from './origin.ts';
import { ownScope } from './origin-name.ts';
import { TracedSpan } from './readable-span.ts';
import { sendAtExit } from './send-at-exit.ts';
import { readSettings, type TelemetrySettings } from './settings.ts';

export interface TelemetryOptions {
  /** The exporter of spans; by default OTLP, configured by OTEL_EXPORTER_OTLP_*. */
  readonly spanProcessors?: readonly SpanProcessor[];
  /** The reader of metrics; by default OTLP, when an endpoint for metrics is set. */
  readonly metricReaders?: readonly MetricReader[];
  /** The processors of log records; by default none, because a registered logger provider gets the log lines anyway. */
  readonly logRecordProcessors?: readonly LogRecordProcessor[];
  readonly resource?: Resource;
}

export interface Telemetry {
  /** The listener for `start`, `resume` and similar calls. */
  readonly onEvents: Listener;
  /** The listener for log lines, for the same calls. */
  readonly onLogs: OnLogs;
  /** Sends queued data and drops what is left after `within` (by default a second). Never rejects. */
  close(within?: Duration): Promise<Undelivered>;
  /** For a process that is exiting: sends ended spans synchronously, for at most one second. */
  leave(): void;
}

export interface Undelivered {
  /** The number of spans that were not delivered. */
  readonly lost: number;
  readonly why?: string;
}

/** @param engine reads earlier events of a resumed run */
export async function openTelemetry(
  engine: Pick<Engine, 'read'>,
  { spanProcessors, metricReaders, logRecordProcessors = [], resource = ownResource() }: TelemetryOptions = {},
): Promise<Telemetry> {
  const settings = readSettings(process.env as Variables);
  const scope = ownScope();
  const waiting = new Set<ReadableSpan>();
  const delivery: Delivery = { sent: 0, waiting };
  const processors = spanProcessors ?? (await processorsFor(settings, delivery));
  const readers = metricReaders ?? (await readersFor(settings));
  const meters = new MeterProvider({ resource, readers: [...readers] });
  const measure = readers.length === 0 ? undefined : measureWith(meters.getMeter(scope.name, scope.version));
  const loggers = new LoggerProvider({ resource, processors: [...logRecordProcessors] });
  const logger = loggers.getLogger(scope.name, scope.version);
  const sampled = new WeakMap<FollowedRun, boolean>();
  let emitted = 0;

  const onEvents = followRuns(engine, (record, run) => {
    measure?.(measurementsOf(record, run.template));
    if (processors.length === 0 || !isRunSampled(run)) return;
    emitted += 1;
    const span = new TracedSpan(record, resource, scope);
    if (spanProcessors === undefined) waiting.add(span);
    for (const processor of processors) processor.onEnd(span);
  });

  function isRunSampled(run: FollowedRun): boolean {
    const decided = sampled.get(run) ?? isSampled(settings.sampler, run.context);
    sampled.set(run, decided);
    return decided;
  }

  return {
    onEvents,
    onLogs: (lines) => emitLines(logger, { ROOT_CONTEXT, trace }, lines),
    leave: () => sendAtExit([...waiting], process.env as Variables),
    async close(within = 1_000) {
      const closing = [...processors, meters, loggers].map((each) => each.shutdown());
      await inTime(Promise.allSettled(closing), within);
      if (spanProcessors !== undefined) return { lost: 0 };
      const lost = emitted - delivery.sent;
      const why = delivery.trouble ?? `no answer within ${durationText(within)}`;
      return lost === 0 ? { lost } : { lost, why };
    },
  };
}

async function processorsFor(settings: TelemetrySettings, delivery: Delivery): Promise<readonly SpanProcessor[]> {
  if (!settings.traces) return [];
  const { protocol, timeout, batch } = settings;
  const exporter = await traceExporter({ protocol: protocol.traces, timeout });
  return [
    new BatchSpanProcessor({
      exporter: counting(exporter, delivery),
      scheduledDelayMillis: batch.delay,
      maxExportBatchSize: batch.size,
      maxQueueSize: batch.queue,
    }),
  ];
}

async function readersFor(settings: TelemetrySettings): Promise<readonly MetricReader[]> {
  if (!settings.metrics) return [];
  return [new PeriodicExportingMetricReader({ exporter: await metricExporter(settings) })];
}

/** Resolves when the work is done or the timeout passes. */
function inTime(work: Promise<unknown>, within: Duration): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, within);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Decides once per trace, as OTEL_TRACES_SAMPLER says. */
function isSampled({ name, ratio }: TelemetrySettings['sampler'], context: TraceContext): boolean {
  const own = name.replace(/^parentbased_/, '');
  if (own !== name && context.parent !== undefined) return context.unsampled !== true;
  switch (own) {
    case 'always_off':
      return false;
    case 'traceidratio': {
      const sampler = new TraceIdRatioBasedSampler(ratio);
      const { decision } = sampler.shouldSample(ROOT_CONTEXT, context.trace);
      return decision === SamplingDecision.RECORD_AND_SAMPLED;
    }
    default:
      return true;
  }
}
