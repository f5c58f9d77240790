// Builds one record for each ended span from the operations of a trace.
import type { Instant } from '../base/quantity.ts';
import type { Recorded } from '../engine/record/event.schema.ts';
import type { Template } from '../template/template.ts';
import type { Attributes } from './attributes.ts';
import type { SpanKind, SpanLink, SpanOperation, SpanStart } from './span-operation.ts';
import { spansOf } from './spans.ts';
import { newTracing, type TracingOptions } from './tracing.ts';

export interface SpanRecord {
  readonly trace: string;
  readonly span: string;
  readonly parent: string | undefined;
  readonly kind: SpanKind;
  readonly name: string;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
  /** Microseconds after the start and after the end, for the order of events in one millisecond. */
  readonly micros: { readonly start: number; readonly end: number };
  /** The code of the failure that ended the span. */
  readonly error: string | undefined;
  readonly attributes: Attributes;
  readonly links: readonly SpanLink[];
  readonly events: readonly SpanEvent[];
}

interface SpanEvent {
  readonly name: string;
  readonly at: Instant;
  readonly micros: number;
  readonly attributes: Attributes;
}

interface OpenSpan {
  readonly start: SpanStart;
  /** Created on first use, because most spans have no events. */
  attributes: Attributes[] | undefined;
  links: SpanLink[] | undefined;
  events: SpanEvent[] | undefined;
}

/** Open spans, in the order of their start. */
export type OpenSpans = Map<string, OpenSpan>;

/** Applies an operation; returns the record of a span that it ends. */
export function applyOperation(open: OpenSpans, operation: SpanOperation): SpanRecord | undefined {
  const span = open.get(operation.span);
  switch (operation.op) {
    case 'start':
      open.set(operation.span, { start: operation, attributes: undefined, links: undefined, events: undefined });
      return undefined;
    case 'attributes':
      if (span !== undefined) span.attributes = added(span.attributes, operation.attributes);
      return undefined;
    case 'link':
      if (span !== undefined) span.links = added(span.links, operation.link);
      return undefined;
    case 'event': {
      const { name, at, micros, attributes } = operation;
      if (span !== undefined) span.events = added(span.events, { name, at, micros, attributes });
      return undefined;
    }
    case 'end':
      open.delete(operation.span);
      return span === undefined ? undefined : closed(span, operation, operation.attributes, operation.error);
  }
}

function added<T>(list: T[] | undefined, each: T): T[] {
  if (list === undefined) return [each];
  list.push(each);
  return list;
}

const NOTHING: readonly never[] = [];

function closed(
  { start, attributes, links, events }: OpenSpan,
  { at, micros }: { readonly at: Instant; readonly micros: number },
  last: Attributes,
  error?: string,
): SpanRecord {
  const { trace, span, parent, kind, name } = start;
  return {
    trace,
    span,
    parent,
    kind,
    name,
    startedAt: start.at,
    endedAt: at,
    micros: { start: start.micros, end: micros },
    error,
    attributes: Object.assign({ ...start.attributes }, ...(attributes ?? NOTHING), last),
    links: links === undefined ? start.links : [...start.links, ...links],
    events: events ?? NOTHING,
  };
}

/** All spans of a run, in the order of their start; open spans end with the last event and are marked. */
export function recordsOf(
  template: Template,
  events: Iterable<Recorded>,
  options: TracingOptions = {},
): readonly SpanRecord[] {
  const tracing = newTracing(template, options);
  const open: OpenSpans = new Map();
  const records = new Map<string, SpanRecord | undefined>();
  for (const event of events) {
    for (const operation of spansOf(tracing, event)) {
      if (operation.op === 'start') records.set(operation.span, undefined);
      const record = applyOperation(open, operation);
      if (record !== undefined) records.set(record.span, record);
    }
  }
  for (const [span, each] of open)
    records.set(span, closed(each, { at: tracing.at, micros: tracing.micros + 1 }, { 'reconverge.unfinished': true }));
  return [...records.values()].filter((record) => record !== undefined);
}
