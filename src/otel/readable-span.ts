// Our spans as those of the OpenTelemetry SDK, so that any of its exporters takes them.
import { type Attributes, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Instant } from '../base/quantity.ts';
import type { Attributes as OurAttributes } from '../telemetry/attributes.ts';
import type { SpanRecord } from '../telemetry/span-record.ts';

export interface Scope {
  readonly name: string;
  readonly version: string;
}

export function readableSpan(record: SpanRecord, resource: Resource, scope: Scope): ReadableSpan {
  const { trace, span, parent, kind, name, startedAt, endedAt, error } = record;
  const contextOf = (spanId: string) => ({ traceId: trace, spanId, traceFlags: TraceFlags.SAMPLED });
  const context = contextOf(span);
  // A parent outside of the run is somebody else's.
  const above: Pick<ReadableSpan, 'parentSpanContext'> =
    parent === undefined ? {} : { parentSpanContext: { ...contextOf(parent), isRemote: kind === 'run' } };
  return {
    name,
    kind: kind === 'model' || kind === 'embeddings' ? SpanKind.CLIENT : SpanKind.INTERNAL,
    spanContext: () => context,
    ...above,
    startTime: timeOf(startedAt),
    endTime: timeOf(endedAt),
    duration: timeOf(endedAt - startedAt),
    status: error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
    attributes: attributesOf(record.attributes, error),
    links: record.links.map(({ to, relation }) => ({
      context: contextOf(to),
      attributes: { 'reconverge.link': relation },
    })),
    events: record.events.map((event) => ({
      name: event.name,
      time: timeOf(event.at),
      attributes: attributesOf(event.attributes),
    })),
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function attributesOf(attributes: OurAttributes, error?: string): Attributes {
  return error === undefined ? attributes : { ...attributes, 'error.type': error };
}

/** Seconds and nanoseconds. */
function timeOf(milliseconds: Instant): [number, number] {
  const seconds = Math.floor(milliseconds / 1_000);
  return [seconds, (milliseconds - seconds * 1_000) * 1_000_000];
}
