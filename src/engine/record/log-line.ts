// A log line: a text that a capability writes while it works, for people. It is kept with its attempt, and is no event.
import type { JsonObject } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';

/** From the least to the most severe. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The severity numbers of OpenTelemetry. The store keeps them. */
export const severities: Readonly<Record<LogLevel, number>> = { debug: 5, info: 9, warn: 13, error: 17 };

export function levelOf(severity: number): LogLevel {
  return logLevels.findLast((level) => severities[level] <= severity) ?? 'debug';
}

/** The line without secrets and within its bounds. */
export interface LogLine {
  /** The run of the step: a child run has an id of its own. */
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
  /** The delivery of the attempt; absent: 1. */
  readonly delivery?: number;
  /** The number of the call within the attempt; absent: the attempt is one call of a capability. */
  readonly call?: number;
  readonly at: Instant;
  readonly level: LogLevel;
  /** The writer, if it is not the handler itself: an MCP server, `stderr` of a program, a model, `reconverge`. */
  readonly source?: string;
  readonly message: string;
  /** Attributes. */
  readonly data?: JsonObject;
  /** The W3C trace context of the call, where the writer had one: `00-{trace}-{span}-01`. */
  readonly traceparent?: string;
}

/** A log line in the store. */
export interface KeptLogLine extends LogLine {
  /** Counts from 1 within the run. */
  readonly number: number;
}
