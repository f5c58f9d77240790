// Emits log lines through a logger of OpenTelemetry, as records of the spans that wrote them.
import type { Json } from '../base/json.ts';
import type { LogLine } from '../engine/record/log-line.ts';
import { type LogRecordParts, logRecordOf } from './log-record.ts';

/** The part of `@opentelemetry/api` that makes a context with a span. */
export interface ContextApi<Context> {
  readonly ROOT_CONTEXT: Context;
  readonly trace: {
    setSpanContext(
      context: Context,
      span: { readonly traceId: string; readonly spanId: string; readonly traceFlags: number },
    ): Context;
  };
}

/** A logger of `@opentelemetry/api`, or of the older `@opentelemetry/api-logs`. */
export interface LogEmitter<Context> {
  emit(record: {
    readonly timestamp: number;
    readonly severityNumber: number;
    readonly severityText: string;
    readonly body: string;
    readonly attributes: Record<string, Json>;
    readonly context: Context;
  }): void;
}

/** @param flags replaces the flags of a trace whose sampler decided otherwise */
function emitRecord<Context>(
  logger: LogEmitter<Context>,
  { ROOT_CONTEXT, trace }: ContextApi<Context>,
  { at, span, attributes, ...record }: LogRecordParts,
  flags?: number,
): void {
  const context =
    span === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, { ...span, traceFlags: flags ?? span.traceFlags });
  logger.emit({ ...record, timestamp: at, attributes: { ...attributes }, context });
}

export function emitLines<Context>(
  logger: LogEmitter<Context>,
  api: ContextApi<Context>,
  lines: readonly LogLine[],
): void {
  for (const line of lines) emitRecord(logger, api, logRecordOf(line));
}
