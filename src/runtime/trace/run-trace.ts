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
    of(work) {
      const call = 'call' in work ? work.call : undefined;
      return versions.get(call === undefined ? work.step : `${work.step}#${call}`);
    },
  };
}

/** Sends the ids that an export of the run will have, so that spans of other services join it. */
export function journalTrace(state: RunState): RunTrace {
  const versions = workVersions();
  const context = new JournalContext(state);
  return {
    see: versions.see,
    of(work) {
      const version = versions.of(work);
      return version === undefined ? untraced : new JournalWork(context, version);
    },
    rest: () => undefined,
  };
}

/** Computed at the first work, because a run has no id before. */
class JournalContext {
  readonly #state: RunState;
  #context: TraceContext | undefined;
  #ids: SpanIds | undefined;

  constructor(state: RunState) {
    this.#state = state;
  }

  traceparentAt(version: number): string {
    const { id, startedAt, traceparent } = this.#state;
    this.#context ??= traceContext(id, startedAt, traceparent);
    this.#ids ??= spanIds(id, startedAt);
    return traceparentOf(this.#context, this.#ids(version, OWN_SPAN));
  }

  tracestate(): string | undefined {
    return this.#state.tracestate;
  }
}

/** A class, because every step of every run has one: closures would cost more. */
class JournalWork implements WorkTrace {
  readonly #context: JournalContext;
  readonly #version: number;

  constructor(context: JournalContext, version: number) {
    this.#context = context;
    this.#version = version;
  }

  traceparent(): string {
    return this.#context.traceparentAt(this.#version);
  }

  own(): string {
    return this.traceparent();
  }

  tracestate(): string | undefined {
    return this.#context.tracestate();
  }

  headers(): Readonly<Record<string, string>> {
    return defined({ traceparent: this.traceparent(), tracestate: this.tracestate() });
  }

  within<T>(work: () => T): T {
    return work();
  }
}

/** A run whose context does not go out; its own spans are as before. */
export function silent(trace: RunTrace): RunTrace {
  return { ...trace, of: (work) => new SilentWork(trace.of(work)) };
}

class SilentWork implements WorkTrace {
  readonly #work: WorkTrace;

  constructor(work: WorkTrace) {
    this.#work = work;
  }

  traceparent(): undefined {
    return undefined;
  }

  own(): string | undefined {
    return this.#work.own();
  }

  tracestate(): undefined {
    return undefined;
  }

  headers(): undefined {
    return undefined;
  }

  within<T>(work: () => T): T {
    return this.#work.within(work);
  }
}
