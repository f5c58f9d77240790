// A run whose events become spans one after the other, from its start or from where another process left off.
import type { Recorded } from '../engine/record/event.schema.ts';
import type { Template } from '../template/template.ts';
import type { SpanOperation } from './span-operation.ts';
import { applyOperation, type OpenSpans, type SpanRecord } from './span-record.ts';
import { spansOf } from './spans.ts';
import { newTracing, type Tracing, type TracingOptions } from './tracing.ts';

export interface TracedRun {
  readonly tracing: Tracing;
  readonly open: OpenSpans;
  /** The version of the last event. */
  version: number;
}

/** Receives each operation, and the record of the span that it ends. */
export type HearOperation = (run: TracedRun, operation: SpanOperation, ended: SpanRecord | undefined) => void;

/**
 * Begins after some events. The process before this one has exported what they ended, so they are not heard; events that a
 * fork copied were never exported under its own id.
 */
export function traceRun(
  template: Template,
  options: TracingOptions,
  before: readonly Recorded[],
  hear: HearOperation,
): TracedRun {
  const run: TracedRun = { tracing: newTracing(template, options), open: new Map(), version: 0 };
  const isNew = before.at(-1)?.event.type === 'run.forked';
  for (const event of before) traceEvent(run, event, isNew ? hear : () => undefined);
  return run;
}

export function traceEvent(run: TracedRun, event: Recorded, hear: HearOperation): void {
  run.version = event.version;
  for (const operation of spansOf(run.tracing, event)) hear(run, operation, applyOperation(run.open, operation));
}
