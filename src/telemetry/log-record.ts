// Turns a log line into a log record of OpenTelemetry: severity, body, attributes, and the span that wrote it.
import { defined, type Json, type JsonObject } from '../base/json.ts';
import type { Instant } from '../base/quantity.ts';
import { type LogLine, severities } from '../engine/record/log-line.ts';
import type { AttributeName } from './attributes.ts';

/** The parts of a record, without a type of the OpenTelemetry packages. */
export interface LogRecordParts {
  /** Milliseconds since 1970. */
  readonly at: Instant;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body: string;
  /** The attributes of the writer, and our own, which win. */
  readonly attributes: JsonObject;
  /** Absent when the writer has no span. */
  readonly span?: SpanPlace;
}

interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

type OwnAttributes = Readonly<Partial<Record<AttributeName, Json>>>;

export function logRecordOf(line: LogLine): LogRecordParts {
  const { at, level, message, data, traceparent = '' } = line;
  return {
    at,
    severityNumber: severities[level],
    severityText: level.toUpperCase(),
    body: message,
    attributes: { ...data, ...ownAttributes(line) },
    ...defined({ span: spanIn(traceparent) }),
  };
}

function ownAttributes({ run, step, attempt, delivery, call, source }: LogLine): OwnAttributes {
  return defined({
    'reconverge.run.id': run,
    'reconverge.step.id': step,
    'reconverge.attempt.number': attempt,
    'reconverge.attempt.delivery': delivery,
    'reconverge.call': call,
    'reconverge.log.source': source,
  });
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/;

function spanIn(traceparent: string): SpanPlace | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}
