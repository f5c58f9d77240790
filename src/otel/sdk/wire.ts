// The messages between the command line and its OpenTelemetry thread.
import type { MessagePort } from 'node:worker_threads';
import type { Duration } from '../../base/quantity.ts';
import type { LogLine } from '../../engine/record/log-line.ts';
import type { SpanRecord } from '../../telemetry/span-record.ts';
import type { FollowedRun } from '../follow-runs.ts';

/** The data that the thread starts with. */
export interface SdkStart {
  readonly port: MessagePort;
  /** The module of `@opentelemetry/sdk-node`. */
  readonly sdk: string;
  /** The arguments of the process, for the detector of `process.*`. */
  readonly argv: readonly string[];
  /** One number: 1 when the thread has closed. */
  readonly closed: SharedArrayBuffer;
}

export type ToSdk =
  /** Comes before the first spans of a run. */
  | { readonly type: 'run'; readonly run: number; readonly followed: FollowedRun }
  | { readonly type: 'spans'; readonly run: number; readonly records: readonly SpanRecord[] }
  | { readonly type: 'logs'; readonly lines: readonly LogLine[] }
  | { readonly type: 'close'; readonly within: Duration };

export type FromSdk =
  /** The SDK is loaded. */
  | { readonly type: 'started' }
  /** A message of the SDK about its settings or its work. */
  | { readonly type: 'said'; readonly text: string }
  /** Output of a console exporter. */
  | { readonly type: 'printed'; readonly text: string }
  | { readonly type: 'closed'; readonly undelivered: Undelivered };

export type Signal = 'traces' | 'metrics' | 'logs';

/** The part of one signal that no backend took. */
interface LostSignal {
  /** The number of spans or log records; absent for metrics. */
  readonly lost?: number;
  readonly why: string;
}

export type Undelivered = Partial<Readonly<Record<Signal, LostSignal>>>;
