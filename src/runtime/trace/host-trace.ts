// The trace of a run in the providers of the program around this library, made from the same operations as every export.
import type { Context, Span } from '@opentelemetry/api';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { RunState } from '../../engine/state/state.ts';
import { measurementsOf } from '../../telemetry/metrics.ts';
import { OWN_SPAN } from '../../telemetry/trace-ids.ts';
import { type HearOperation, type TracedRun, traceEvent, traceRun } from '../../telemetry/traced-run.ts';
import type { TracingOptions } from '../../telemetry/tracing.ts';
import { untraced, type WorkTrace } from '../ports/work-trace.ts';
import { type Host, traceparentIn } from './host.ts';
import { HostSpans } from './host-spans.ts';
import { journalTrace, type RunTrace, workVersions } from './run-trace.ts';

export interface HostTraceOptions extends Pick<Required<TracingOptions>, 'blob'> {
  readonly host: Host;
  readonly state: RunState;
  /** The events before a version. */
  readonly before: (version: number) => readonly Recorded[];
}

/** Makes the spans in the tracer of the program, and measures with its meter. */
export function hostTrace({ host, state, before, blob }: HostTraceOptions): RunTrace {
  const { tracer, measure } = host;
  const spans = tracer && new HostSpans(host, tracer, state);
  const versions = workVersions();
  const ofJournal = journalTrace(state);
  let run: TracedRun | undefined;

  const hear: HearOperation = (traced, operation, ended) => {
    if (ended !== undefined) measure?.(measurementsOf(ended, state.template.name));
    spans?.hear(traced, operation);
  };

  function begin({ version }: Recorded): TracedRun {
    const past = version === 1 ? [] : before(version);
    const traced = traceRun(state.template, { blob }, past, hear);
    if (past.length > 0) spans?.reopen(traced);
    return traced;
  }

  function traceOf(span: Span, context: Context): WorkTrace {
    const within = <T>(work: () => T): T => host.within(context, work);
    const own = span.spanContext();
    if (!host.api.isSpanContextValid(own)) return { ...untraced, within };
    const traceparent = (): string => traceparentIn(own);
    return {
      traceparent,
      own: traceparent,
      tracestate: () => own.traceState?.serialize() || undefined,
      headers() {
        const written = host.headers(context);
        return Object.keys(written).length === 0 ? { traceparent: traceparent() } : written;
      },
      within,
    };
  }

  return {
    see(events) {
      const [first] = events;
      if (first === undefined) return;
      versions.see(events);
      if (spans === undefined) ofJournal.see(events);
      run ??= begin(first);
      for (const event of events) traceEvent(run, event, hear);
    },
    of(work) {
      if (spans === undefined) return ofJournal.of(work);
      const version = versions.of(work);
      const span = version === undefined ? undefined : spans.span(run?.tracing.ids(version, OWN_SPAN) ?? '');
      return span === undefined ? untraced : traceOf(span, spans.contextWith(span));
    },
    rest: () => spans?.rest(),
  };
}
