// Follows runs by their events, and passes on each span when it ends.
import type { Recorded } from '../engine/record/event.schema.ts';
import type { RunView } from '../engine/state/run-view.ts';
import type { Engine, Listener } from '../runtime/api/engine.ts';
import { followsRuns } from '../runtime/trace/followed-elsewhere.ts';
import type { SpanStart } from '../telemetry/span-operation.ts';
import type { SpanRecord } from '../telemetry/span-record.ts';
import type { TraceContext } from '../telemetry/trace-ids.ts';
import { type HearOperation, type TracedRun, traceEvent, traceRun } from '../telemetry/traced-run.ts';

/** A run whose spans are passed on. The same object comes with each of its spans while this process follows it. */
export interface FollowedRun {
  /** Name of the template. */
  readonly template: string;
  readonly context: TraceContext;
  /** The start of the run's own span. */
  readonly root?: SpanStart;
}

/**
 * @param engine reads earlier events of a resumed run
 * @param hear is called for each span that ends
 */
export function followRuns(
  engine: Pick<Engine, 'read'>,
  hear: (record: SpanRecord, run: FollowedRun) => void,
): Listener {
  const runs = new Map<string, TracedRun>();
  const followed = new WeakMap<TracedRun, FollowedRun>();

  const pass: HearOperation = (run, operation, ended) => {
    if (operation.op === 'start' && operation.kind === 'run') followed.set(run, identityOf(run, operation));
    const known = followed.get(run);
    if (ended !== undefined && known !== undefined) hear(ended, known);
  };

  function runOf(first: Recorded, state: RunView, blob: Parameters<Listener>[2]): TracedRun {
    const known = runs.get(state.id);
    if (known?.version === first.version - 1) return known;
    const past = first.version === 1 ? undefined : engine.read(state.id);
    const before = past?.ok ? past.value.events.filter(({ version }) => version < first.version) : [];
    const fresh = traceRun(state.template, { blob }, before, pass);
    const root = fresh.open.get(fresh.tracing.run)?.start;
    if (root !== undefined) followed.set(fresh, identityOf(fresh, root));
    runs.set(state.id, fresh);
    return fresh;
  }

  return followsRuns((events, state, blob) => {
    const [first] = events;
    if (first === undefined) return;
    const run = runOf(first, state, blob);
    for (const event of events) traceEvent(run, event, pass);
    if (state.status === 'ended') runs.delete(state.id);
  });
}

function identityOf({ tracing }: TracedRun, root: SpanStart): FollowedRun {
  const { template, context } = tracing;
  return { template: template.name, context, root };
}
