// The spans of a run together with those of its child runs: they are one trace.
import type { Engine } from '../../runtime/api/engine.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import { recordsOf, type SpanRecord } from '../../telemetry/span-record.ts';
import { traceparentOf } from '../../telemetry/trace-ids.ts';

/** The spans of a child run follow those of its caller. */
export function familyRecords(engine: Pick<Engine, 'read'>, run: RunRecord): readonly SpanRecord[] {
  const known = new Set<string>();

  function recordsWithin({ template, events, blob }: RunRecord, under?: string): readonly SpanRecord[] {
    const own = recordsOf(template, events, { blob, under });
    return [...own, ...own.flatMap(childRecords)];
  }

  /** An attempt that goes on names the same child run again. Runs of earlier versions know nothing of their caller's span. */
  function childRecords({ trace, span, attributes }: SpanRecord): readonly SpanRecord[] {
    const child = attributes['reconverge.run.child'];
    if (typeof child !== 'string' || known.has(child)) return [];
    known.add(child);
    const read = engine.read(child);
    return read.ok ? recordsWithin(read.value, traceparentOf({ trace }, span)) : [];
  }

  return recordsWithin(run);
}
