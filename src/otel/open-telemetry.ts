// The live listener: exports spans and metrics of running runs through the OpenTelemetry SDK.
import { type Meter, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { MeterProvider, type MetricReader, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  type ReadableSpan,
  SamplingDecision,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { defined } from '../base/json.ts';
import { type Duration, durationText } from '../base/quantity.ts';
import type { Recorded } from '../engine/record/event.schema.ts';
import type { RunView } from '../engine/state/run-view.ts';
import type { Engine, Listener } from '../runtime/api/engine.ts';
import { type InstrumentName, instruments, type Measurement, measurementsOf } from '../telemetry/metrics.ts';
import { applyOperation, type OpenSpans } from '../telemetry/span-record.ts';
import { spansOf } from '../telemetry/spans.ts';
import type { TraceContext } from '../telemetry/trace-ids.ts';
import { newTracing, type Tracing } from '../telemetry/tracing.ts';
import { counting, type Delivery, metricExporter, traceExporter } from './exporters.ts';
import { ownResource, ownScope } from './origin.ts';
import { TracedSpan } from './readable-span.ts';
import { sendAtExit } from './send-at-exit.ts';
import { readSettings, type TelemetrySettings, type Variables } from './settings.ts';

export interface TelemetryOptions {
  /** The exporter of spans; by default OTLP, configured by OTEL_EXPORTER_OTLP_*. */
  readonly spanProcessors?: readonly SpanProcessor[];
  /** The reader of metrics; by default OTLP, when an endpoint for metrics is set. */
  readonly metricReaders?: readonly MetricReader[];
  readonly resource?: Resource;
}

export interface Telemetry {
  /** The listener for `start`, `resume` and similar calls. */
  readonly onEvents: Listener;
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

/** A followed run. */
interface FollowedRun {
  readonly tracing: Tracing;
  readonly open: OpenSpans;
  version: number;
  /** Known after the run's first event. */
  sampled?: boolean;
}

/** @param engine reads earlier events of a resumed run */
export async function openTelemetry(
  engine: Pick<Engine, 'read'>,
  { spanProcessors, metricReaders, resource = ownResource() }: TelemetryOptions = {},
): Promise<Telemetry> {
  const settings = readSettings(process.env as Variables);
  const scope = ownScope();
  const waiting = new Set<ReadableSpan>();
  const delivery: Delivery = { sent: 0, waiting };
  const processors = spanProcessors ?? (await processorsFor(settings, delivery));
  const readers = metricReaders ?? (await readersFor(settings));
  const meters = new MeterProvider({ resource, readers: [...readers] });
  const measure = readers.length === 0 ? undefined : recorderFor(meters.getMeter(scope.name, scope.version));
  const runs = new Map<string, FollowedRun>();
  let emitted = 0;

  const onEvents: Listener = (events, state, blob) => {
    const [first] = events;
    if (first === undefined) return;
    const followed = followedFrom(first, state, blob);
    for (const event of events) tell(followed, event, state.template.name);
    if (state.status === 'ended') runs.delete(state.id);
  };

  /** Earlier events are folded without exporting them, because another process already did. */
  function followedFrom(first: Recorded, state: RunView, blob: Parameters<Listener>[2]): FollowedRun {
    const known = runs.get(state.id);
    if (known?.version === first.version - 1) return known;
    const fresh: FollowedRun = { tracing: newTracing(state.template, { blob }), open: new Map(), version: 0 };
    runs.set(state.id, fresh);
    const past = first.version === 1 ? undefined : engine.read(state.id);
    const before = past?.ok ? past.value.events.filter(({ version }) => version < first.version) : [];
    // Events that a fork copied were never exported under its own id.
    const isNew = before.at(-1)?.event.type === 'run.forked';
    for (const event of before) {
      if (isNew) tell(fresh, event, state.template.name);
      else for (const each of spansOf(fresh.tracing, event)) applyOperation(fresh.open, each);
    }
    return fresh;
  }

  function tell(followed: FollowedRun, event: Recorded, template: string): void {
    followed.version = event.version;
    for (const each of spansOf(followed.tracing, event)) {
      const record = applyOperation(followed.open, each);
      if (record === undefined) continue;
      measure?.(measurementsOf(record, template));
      followed.sampled ??= isSampled(settings.sampler, followed.tracing.context);
      if (processors.length === 0 || !followed.sampled) continue;
      emitted += 1;
      const span = new TracedSpan(record, resource, scope);
      if (spanProcessors === undefined) waiting.add(span);
      for (const processor of processors) processor.onEnd(span);
    }
  }

  return {
    onEvents,
    leave: () => sendAtExit([...waiting], process.env as Variables),
    async close(within = 1_000) {
      const closing = [...processors, meters].map((each) => each.shutdown());
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

type Instrument = (value: number, by: Measurement['by']) => void;

/** Passes measurements to the SDK, with one instrument for each row of the table of instruments. */
function recorderFor(meter: Meter): (measurements: readonly Measurement[]) => void {
  const known = new Map<InstrumentName, Instrument>();
  return (measurements) => {
    for (const { of, value, by } of measurements) {
      const record = known.get(of) ?? instrumentFor(meter, of);
      known.set(of, record);
      record(value, by);
    }
  };
}

/** Histogram buckets by unit, as the GenAI conventions advise. */
const boundaries: Readonly<Record<string, readonly number[]>> = {
  s: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  '{token}': [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304],
};

function instrumentFor(meter: Meter, name: InstrumentName): Instrument {
  const { kind, unit, says } = instruments[name];
  const bounds = boundaries[unit];
  const advice = defined({ advice: bounds === undefined ? undefined : { explicitBucketBoundaries: [...bounds] } });
  const options = { unit, description: says, ...advice };
  switch (kind) {
    case 'counter': {
      const counter = meter.createCounter(name, options);
      return (value, by) => counter.add(value, by);
    }
    case 'histogram': {
      const histogram = meter.createHistogram(name, options);
      return (value, by) => histogram.record(value, by);
    }
    case 'gauge': {
      const gauge = meter.createGauge(name, options);
      return (value, by) => gauge.record(value, by);
    }
  }
}
