// How spans and measurements leave: OTLP over HTTP, in protobuf or JSON, as the environment says.

import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { defined } from '../base/json.ts';
import type { Protocol, TelemetrySettings } from './settings.ts';

interface Destination {
  readonly protocol: Protocol;
  /** Instead of what OTEL_EXPORTER_OTLP_* says. */
  readonly url?: string;
  /** Milliseconds that one export may take; absent: what the environment says. */
  readonly timeout?: number | undefined;
}

/** All batches that wait at the end of a run leave at once. */
const CONCURRENCY = 1_000;

export async function traceExporter({ protocol, url, timeout }: Destination): Promise<SpanExporter> {
  const settings = {
    concurrencyLimit: CONCURRENCY,
    ...defined({ url, timeoutMillis: timeout }),
  };
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

/** What became of the spans that an exporter was given. */
export interface Delivery {
  sent: number;
  /** Those that an exporter was given, or will be, and that have not got through. */
  readonly waiting?: Set<ReadableSpan>;
  /** Why the last batch that was refused was refused. */
  trouble?: string;
}

/** An exporter that counts what it got through. */
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

/** Sends spans batch by batch, and stops at the first that does not get through. */
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

/** Errors of sockets come in a bundle, one for each address, with no message of their own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error && error.message !== '' ? error.message : 'no answer';
}
