// Follows runs by their events, and passes on each span when it ends.
import { defined } from '../base/json.ts';
import type { Recorded } from '../engine/record/event.schema.ts';
import type { RunView } from '../engine/state/run-view.ts';
import type { Engine, Listener } from '../runtime/api/engine.ts';
import type { SpanStart } from '../telemetry/span-operation.ts';
import { applyOperation, type OpenSpans, type SpanRecord } from '../telemetry/span-record.ts';
import { spansOf } from '../telemetry/spans.ts';
import type { TraceContext } from '../telemetry/trace-ids.ts';
import { newTracing, type Tracing } from '../telemetry/tracing.ts';

/** A run whose spans are passed on. The same object comes with each of its spans while this process follows it. */
export interface FollowedRun {
  /** Name of the template. */
  readonly template: string;
  readonly context: TraceContext;
  /** The start of the run's own span. */
  readonly root?: SpanStart;
}

interface Followed {
  readonly tracing: Tracing;
  readonly open: OpenSpans;
  version: number;
  /** Known after the run's first event. */
  run?: FollowedRun;
}

/**
 * @param engine reads earlier events of a resumed run
 * @param hear is called for each span that ends
 */
export function followRuns(
  engine: Pick<Engine, 'read'>,
  hear: (record: SpanRecord, run: FollowedRun) => void,
): Listener {
  const runs = new Map<string, Followed>();

  /** Earlier events are folded without passing on their spans, because another process already did. */
  function followedFrom(first: Recorded, state: RunView, blob: Parameters<Listener>[2]): Followed {
    const known = runs.get(state.id);
    if (known?.version === first.version - 1) return known;
    const fresh: Followed = { tracing: newTracing(state.template, { blob }), open: new Map(), version: 0 };
    runs.set(state.id, fresh);
    const past = first.version === 1 ? undefined : engine.read(state.id);
    const before = past?.ok ? past.value.events.filter(({ version }) => version < first.version) : [];
    // Events that a fork copied were never exported under its own id.
    const isNew = before.at(-1)?.event.type === 'run.forked';
    for (const event of before) {
      if (isNew) follow(fresh, event);
      else for (const each of spansOf(fresh.tracing, event)) applyOperation(fresh.open, each);
    }
    return fresh;
  }

  function follow(followed: Followed, event: Recorded): void {
    const { tracing, open } = followed;
    followed.version = event.version;
    for (const each of spansOf(tracing, event)) {
      if (each.op === 'end') followed.run ??= identityOf(followed);
      const record = applyOperation(open, each);
      if (record !== undefined && followed.run !== undefined) hear(record, followed.run);
    }
  }

  return (events, state, blob) => {
    const [first] = events;
    if (first === undefined) return;
    const followed = followedFrom(first, state, blob);
    for (const event of events) follow(followed, event);
    if (state.status === 'ended') runs.delete(state.id);
  };
}

function identityOf({ tracing, open }: Followed): FollowedRun {
  const { template, context, run } = tracing;
  return { template: template.name, context, ...defined({ root: open.get(run)?.start }) };
}
