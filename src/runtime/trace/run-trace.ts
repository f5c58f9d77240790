// The trace of a run while it is driven: finds the span of each attempt and call, from the ids of the journal.
import { defined } from '../../base/json.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { RunState } from '../../engine/state/state.ts';
import {
  OWN_SPAN,
  type SpanIds,
  spanIds,
  type TraceContext,
  traceContext,
  traceparentOf,
} from '../../telemetry/trace-ids.ts';
import type { Work } from '../ports/work.ts';
import { untraced, type WorkTrace } from '../ports/work-trace.ts';

export interface RunTrace {
  /** Hears the events of a commit before their effects begin. */
  see(events: readonly Recorded[]): void;
  of(work: Work): WorkTrace;
  /** The run has come to rest. */
  rest(): void;
}

/** The versions of the events that began the attempts and calls under way. */
export interface WorkVersions {
  see(events: readonly Recorded[]): void;
  of(work: Work): number | undefined;
}

export function workVersions(): WorkVersions {
  const versions = new Map<string, number>();
  return {
    see(events) {
      for (const { version, event } of events) {
        switch (event.type) {
          case 'attempt.started':
          case 'attempt.resumed':
            versions.set(event.step, version);
            break;
          case 'call.started':
            versions.set(`${event.step}#${event.call}`, version);
            break;
          case 'call.ended':
            versions.delete(`${event.step}#${event.call}`);
            break;
          case 'step.completed':
          case 'step.failed':
            versions.delete(event.step);
        }
      }
    },
    of: ({ step, ...work }) => versions.get('call' in work && work.call !== undefined ? `${step}#${work.call}` : step),
  };
}

/** Sends the ids that an export of the run will have, so that spans of other services join it. */
export function journalTrace(state: RunState): RunTrace {
  const versions = workVersions();
  let context: TraceContext | undefined;
  let ids: SpanIds | undefined;

  function traceparentAt(version: number): string {
    context ??= traceContext(state.id, state.startedAt, state.traceparent);
    ids ??= spanIds(state.id, state.startedAt);
    return traceparentOf(context, ids(version, OWN_SPAN));
  }

  return {
    see: versions.see,
    of(work) {
      const version = versions.of(work);
      if (version === undefined) return untraced;
      const traceparent = (): string => traceparentAt(version);
      const tracestate = (): string | undefined => state.tracestate;
      return {
        traceparent,
        tracestate,
        headers: () => defined({ traceparent: traceparent(), tracestate: tracestate() }),
        within: (run) => run(),
      };
    },
    rest: () => undefined,
  };
}

/** A run whose context does not go out; its own spans are as before. */
export function silent(trace: RunTrace): RunTrace {
  return { ...trace, of: (work) => ({ ...untraced, within: trace.of(work).within }) };
}
