// Exporters for spans and metrics: OTLP over HTTP, in protobuf or JSON, as the environment says.
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { defined } from '../base/json.ts';
import type { Duration } from '../base/quantity.ts';
import type { Protocol, TelemetrySettings } from './settings.ts';

interface Destination {
  readonly protocol: Protocol;
  /** Overrides OTEL_EXPORTER_OTLP_*. */
  readonly url?: string;
  /** The timeout of one export; by default from the environment. */
  readonly timeout?: Duration | undefined;
}

/** The batches that wait at the end of a run are sent in parallel. */
const CONCURRENCY = 1_000;

export async function traceExporter({ protocol, url, timeout }: Destination): Promise<SpanExporter> {
  const settings = { concurrencyLimit: CONCURRENCY, ...defined({ url, timeoutMillis: timeout }) };
  const { OTLPTraceExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'));
  return new OTLPTraceExporter(settings);
}

export async function metricExporter({ protocol, timeout }: TelemetrySettings): Promise<PushMetricExporter> {
  const settings = defined({ timeoutMillis: timeout });
  const { OTLPMetricExporter } = await (protocol.metrics === 'http/json'
    ? import('@opentelemetry/exporter-metrics-otlp-http')
    : import('@opentelemetry/exporter-metrics-otlp-proto'));
  return new OTLPMetricExporter(settings);
}

/** Counts of the spans that an exporter received. */
export interface Delivery {
  sent: number;
  /** Spans that are queued or failed. */
  readonly waiting?: Set<ReadableSpan>;
  /** The reason of the last refused batch. */
  trouble?: string;
}

/** Wraps an exporter and counts its spans. */
export function counting(exporter: SpanExporter, delivery: Delivery): SpanExporter {
  return {
    export: (spans, answer) =>
      exporter.export(spans, (result) => {
        if (result.code === 0) {
          delivery.sent += spans.length;
          for (const span of spans) delivery.waiting?.delete(span);
        } else delivery.trouble = messageOf(result.error);
        answer(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

/** Sends spans in batches, and stops at the first failure. */
export async function sendSpans(exporter: SpanExporter, spans: readonly ReadableSpan[]): Promise<Delivery> {
  const delivery: Delivery = { sent: 0 };
  const counted = counting(exporter, delivery);
  for (let from = 0; from < spans.length && delivery.trouble === undefined; from += BATCH) {
    const batch = spans.slice(from, from + BATCH);
    await new Promise<void>((answered) => counted.export(batch, () => answered()));
  }
  await exporter.shutdown();
  return delivery;
}

const BATCH = 512;

/** Socket errors come as an aggregate without a message, with one error for each address. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error && error.message !== '' ? error.message : 'no answer';
}
