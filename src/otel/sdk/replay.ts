// Replays ended spans through the tracer of the SDK, under the ids and times of the journal.
import type { Context, Span, Tracer } from '@opentelemetry/api';
import type { SpanRecord } from '../../telemetry/span-record.ts';
import type { FollowedRun } from '../follow-runs.ts';
import { ownScope } from '../origin-name.ts';
import { TracedSpan } from '../readable-span.ts';
import type { StartedSdk } from './start-sdk.ts';

export interface Replay {
  begin(run: number, followed: FollowedRun): void;
  /** Answers false when the sampler does not record the span. */
  span(run: number, record: SpanRecord): boolean;
}

/** @param surroundings the environment, for the state that comes with its trace context */
export function replayer(
  { api, resources, next }: StartedSdk,
  surroundings: Readonly<Record<string, string | undefined>>,
): Replay {
  const scope = ownScope();
  const resource = resources.emptyResource();
  const tracer: Tracer = api.trace.getTracer(scope.name, scope.version);
  /** The flags of each trace, which its sampler decided with its first run. */
  const flags = new Map<string, number>();
  /** The open span of each run, by its number. */
  const roots = new Map<number, { readonly id: string; readonly span: Span }>();

  function start(span: TracedSpan, traceFlags: number, isRemote: boolean): Span {
    const { traceId, spanId } = span.spanContext();
    const parent = span.parentSpanContext;
    Object.assign(next, { trace: traceId, span: spanId });
    const context: Context =
      parent === undefined
        ? api.ROOT_CONTEXT
        : api.trace.setSpanContext(api.ROOT_CONTEXT, {
            ...parent,
            traceFlags,
            isRemote,
            ...(isRemote ? stateOf(traceId) : {}),
          });
    const { name, kind, startTime, attributes } = span;
    const links = span.links.map(({ context: to, ...more }) => ({ ...more, context: { ...to, traceFlags } }));
    return tracer.startSpan(name, { kind, startTime, attributes, links }, context);
  }

  /** The caller's trace state, which some samplers need. */
  function stateOf(trace: string): { readonly traceState?: ReturnType<typeof api.createTraceState> } {
    const { TRACEPARENT: parent = '', TRACESTATE: state = '' } = surroundings;
    return state !== '' && parent.includes(trace) ? { traceState: api.createTraceState(state) } : {};
  }

  return {
    begin(run, { root, context }) {
      if (root === undefined) return;
      const known = flags.get(context.trace);
      const given = known ?? (context.unsampled === true ? 0 : 1);
      // Links are added when the span ends, with later ones.
      const record = {
        ...root,
        links: [],
        startedAt: root.at,
        endedAt: root.at,
        micros: { start: root.micros, end: root.micros },
        error: undefined,
        events: [],
      };
      const span = start(new TracedSpan(record, resource, scope), given, known === undefined);
      if (known === undefined) flags.set(context.trace, span.spanContext().traceFlags);
      roots.set(run, { id: root.span, span });
    },
    span(run, record) {
      const traced = new TracedSpan(record, resource, scope);
      const root = roots.get(run);
      const isRoot = root !== undefined && root.id === record.span;
      const span = isRoot ? root.span : start(traced, flags.get(record.trace) ?? 1, false);
      if (isRoot) roots.delete(run);
      if (!span.isRecording()) return false;
      if (isRoot) span.setAttributes(traced.attributes);
      if (isRoot) span.addLinks(traced.links.slice());
      for (const { name, attributes, time } of traced.events) span.addEvent(name, attributes, time);
      if (traced.status.code !== api.SpanStatusCode.UNSET) span.setStatus(traced.status);
      span.end(traced.endTime);
      return (span.spanContext().traceFlags & api.TraceFlags.SAMPLED) !== 0;
    },
  };
}
