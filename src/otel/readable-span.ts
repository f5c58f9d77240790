// Converts our spans to spans of the OpenTelemetry SDK, for its processors and exporters.
import { type Attributes, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { SpanRecord } from '../telemetry/span-record.ts';
import { hrTime, typedValues } from '../telemetry/typed-values.ts';

export interface Scope {
  readonly name: string;
  readonly version: string;
}

/** A span with lazy properties, because our own exporter reads few of them. */
export class TracedSpan implements ReadableSpan {
  readonly record: SpanRecord;
  readonly resource: Resource;
  readonly instrumentationScope: Scope;
  /** Mutable, because a processor may add or remove attributes. */
  readonly attributes: Attributes;
  readonly parentSpanContext?: SpanContext;
  readonly ended = true;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;

  constructor(record: SpanRecord, resource: Resource, scope: Scope) {
    this.record = record;
    this.resource = resource;
    this.instrumentationScope = scope;
    const { trace, parent, kind, attributes, error } = record;
    // A parent outside the run belongs to the caller, so it is remote.
    if (parent !== undefined)
      this.parentSpanContext = {
        traceId: trace,
        spanId: parent,
        traceFlags: TraceFlags.SAMPLED,
        isRemote: kind === 'run',
      };
    const typed = typedValues(attributes);
    this.attributes = error === undefined ? typed : { ...typed, 'error.type': error };
  }

  get name(): string {
    return this.record.name;
  }

  get kind(): SpanKind {
    return kindOf(this.record);
  }

  spanContext(): SpanContext {
    return contextOf(this.record.trace, this.record.span);
  }

  get startTime(): [number, number] {
    return hrTime(this.record.startedAt, this.record.micros.start);
  }

  get endTime(): [number, number] {
    return hrTime(this.record.endedAt, this.record.micros.end);
  }

  get duration(): [number, number] {
    const { startedAt, endedAt, micros } = this.record;
    return hrTime(endedAt - startedAt, micros.end - micros.start);
  }

  get status(): ReadableSpan['status'] {
    const { error } = this.record;
    return error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error };
  }

  get links(): ReadableSpan['links'] {
    const { trace, links } = this.record;
    return links.map(({ to, trace: other = trace, relation }) => ({
      context: contextOf(other, to),
      attributes: { 'reconverge.link': relation },
    }));
  }

  get events(): ReadableSpan['events'] {
    return this.record.events.map(({ name, at, micros, attributes }) => ({
      name,
      time: hrTime(at, micros),
      attributes: typedValues(attributes),
    }));
  }
}

function kindOf({ kind }: SpanRecord): SpanKind {
  return kind === 'model' || kind === 'embeddings' ? SpanKind.CLIENT : SpanKind.INTERNAL;
}

function contextOf(traceId: string, spanId: string): SpanContext {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
}
