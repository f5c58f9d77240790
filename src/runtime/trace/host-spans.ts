// The open spans of one run in the tracer of the program around this library.
import type { Context, Link, Span, SpanContext, Tracer } from '@opentelemetry/api';
import { defined } from '../../base/json.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import type { SpanLink, SpanOperation, SpanStart } from '../../telemetry/span-operation.ts';
import type { TracedRun } from '../../telemetry/traced-run.ts';
import { hrTime, typedValues } from '../../telemetry/typed-values.ts';
import { type StartUnder, startUnder } from './chosen-ids.ts';
import type { Host } from './host.ts';

/**
 * Does what the operations of a trace say. The spans have the ids of the journal where the tracer lets us choose. Other tracers
 * choose ids themselves: their open spans end when the run comes to rest, marked as unfinished, and begin anew when it goes on.
 */
export class HostSpans {
  readonly #host: Host;
  readonly #tracer: Tracer;
  readonly #state: Pick<RunView, 'id' | 'tracestate'>;
  /** The context in which this process took the run up. */
  readonly #base: Context;
  readonly #chosen: StartUnder | undefined;
  readonly #open = new Map<string, Span>();
  /** The contexts of ended spans whose ids the tracer has chosen. */
  readonly #ended = new Map<string, SpanContext>();

  constructor(host: Host, tracer: Tracer, state: Pick<RunView, 'id' | 'tracestate'>) {
    this.#host = host;
    this.#tracer = tracer;
    this.#state = state;
    this.#base = host.active();
    this.#chosen = startUnder(tracer);
  }

  span(id: string): Span | undefined {
    return this.#open.get(id);
  }

  contextWith(span: Span): Context {
    return this.#host.api.trace.setSpan(this.#base, span);
  }

  hear(run: TracedRun, operation: SpanOperation): void {
    const span = this.#open.get(operation.span);
    switch (operation.op) {
      case 'start':
        return this.#start(run, operation);
      case 'attributes':
        span?.setAttributes(typedValues(operation.attributes));
        return;
      case 'link':
        span?.addLink?.(this.#linkTo(run, operation.link));
        return;
      case 'event':
        span?.addEvent(operation.name, typedValues(operation.attributes), hrTime(operation.at, operation.micros));
        return;
      case 'end':
        return this.#end(operation);
    }
  }

  /** Begins the spans that another process left open, with their true beginnings; the span that resumes the run is linked. */
  reopen(run: TracedRun): void {
    for (const { start, attributes = [], links = [], events = [] } of run.open.values()) {
      if (this.#open.has(start.span)) continue;
      this.#start(run, start);
      const { span } = start;
      for (const each of attributes) this.hear(run, { op: 'attributes', span, attributes: each });
      for (const link of links) this.hear(run, { op: 'link', span, link });
      for (const event of events) this.hear(run, { op: 'event', span, ...event });
    }
    const { trace } = run.tracing.context;
    const active = this.#host.api.trace.getSpan(this.#base);
    if (active === undefined || active.spanContext().traceId === trace) return;
    const context = this.#contextOf(run, run.tracing.run, trace);
    active.addLink?.({ context, attributes: { 'reconverge.link': 'resumes', 'reconverge.run.id': this.#state.id } });
  }

  rest(): void {
    if (this.#chosen !== undefined) return;
    for (const span of [...this.#open.values()].reverse()) span.setAttribute('reconverge.unfinished', true).end();
    this.#open.clear();
  }

  #start(run: TracedRun, start: SpanStart): void {
    const { span, trace, kind, name, at, micros, attributes, links } = start;
    const { SpanKind } = this.#host.api;
    const options = {
      kind: kind === 'model' || kind === 'embeddings' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      startTime: hrTime(at, micros),
      attributes: typedValues(attributes),
      links: links.map((link) => this.#linkTo(run, link)),
    };
    const above = this.#parentOf(run, start);
    const begin = (): Span => this.#tracer.startSpan(name, options, above);
    this.#open.set(span, this.#chosen === undefined ? begin() : this.#chosen({ span, trace }, begin));
  }

  #end({ span: id, at, micros, error, attributes }: SpanOperation & { readonly op: 'end' }): void {
    const span = this.#open.get(id);
    if (span === undefined) return;
    span.setAttributes(typedValues(attributes));
    if (error !== undefined) {
      span.setAttribute('error.type', error);
      span.setStatus({ code: this.#host.api.SpanStatusCode.ERROR, message: error });
    }
    span.end(hrTime(at, micros));
    this.#open.delete(id);
    if (this.#chosen === undefined) this.#ended.set(id, span.spanContext());
  }

  #parentOf(run: TracedRun, { span, trace, parent, kind }: SpanStart): Context {
    const { trace: api, createTraceState } = this.#host.api;
    // Where the tracer chooses ids, a parent that is never sent at least keeps all parts of the run in one trace.
    const above = parent ?? (this.#chosen === undefined ? span : undefined);
    if (above === undefined) return api.deleteSpan(this.#base);
    const open = this.#open.get(above);
    if (open !== undefined) return api.setSpan(this.#base, open);
    const context = this.#contextOf(run, above, trace);
    if (kind !== 'run') return api.setSpanContext(this.#base, context);
    const active = api.getSpanContext(this.#base);
    if (active?.traceId === trace && active.spanId === above) return this.#base;
    const { tracestate } = this.#state;
    const vendor = defined({ traceState: tracestate === undefined ? undefined : createTraceState(tracestate) });
    return api.setSpanContext(this.#base, { ...context, isRemote: true, ...vendor });
  }

  #contextOf({ tracing }: TracedRun, id: string, trace: string): SpanContext {
    const known = this.#open.get(id)?.spanContext() ?? this.#ended.get(id);
    if (known !== undefined) return known;
    const { NONE, SAMPLED } = this.#host.api.TraceFlags;
    const own = this.#open.get(tracing.run)?.spanContext().traceFlags;
    return { traceId: trace, spanId: id, traceFlags: own ?? (tracing.context.unsampled ? NONE : SAMPLED) };
  }

  #linkTo(run: TracedRun, { to, trace = run.tracing.context.trace, relation }: SpanLink): Link {
    return { context: this.#contextOf(run, to, trace), attributes: { 'reconverge.link': relation } };
  }
}
