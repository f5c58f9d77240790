// Counts what the SDK's exporters deliver, and keeps the reasons of what they do not.
import type { Signal, Undelivered } from './wire.ts';

/** The classes whose `export` is counted: exporters of OTLP and Zipkin. */
interface CountedExporter {
  export(items: never, answer: (result: { readonly code: number; readonly error?: unknown }) => void): void;
}

interface Delivery {
  readonly signal: Signal;
  sent: number;
  why?: string;
  /** The last export was refused because the server does not take this signal. */
  isForeign: boolean;
}

export interface Deliveries {
  count(prototype: CountedExporter): void;
  /** A span that was given to the exporters. */
  ended(signal: 'traces' | 'logs', count: number): void;
  /** An error that no exporter answered. */
  failed(error: unknown): void;
  /**
   * @param otherwise the reason for what was not answered
   * @param isDone false when some exports were still under way
   * @param isAsked tells whether the environment names an exporter or an endpoint for this signal alone
   */
  undelivered(otherwise: string, isDone: boolean, isAsked: (signal: Signal) => boolean): Undelivered;
}

export function deliveries(): Deliveries {
  const byExporter = new Map<object, Delivery>();
  const totals = { traces: 0, logs: 0 };
  let trouble: string | undefined;

  function deliveryOf(exporter: object, items: unknown): Delivery {
    const known = byExporter.get(exporter);
    if (known !== undefined) return known;
    const fresh: Delivery = { signal: signalOf(items), sent: 0, isForeign: false };
    byExporter.set(exporter, fresh);
    return fresh;
  }

  function lostCount(signal: 'traces' | 'logs', found: readonly Delivery[], isDone: boolean): number {
    if (found.length === 0) return isDone ? 0 : totals[signal];
    return totals[signal] - Math.min(...found.map(({ sent }) => sent));
  }

  return {
    count(prototype) {
      const { export: original } = prototype;
      prototype.export = function (this: CountedExporter, items, answer) {
        const delivery = deliveryOf(this, items);
        original.call(this, items, (result) => {
          if (result.code === 0) {
            delivery.sent += sizeOf(items);
            delete delivery.why;
          } else {
            delivery.why = reasonOf(result.error);
            delivery.isForeign = isForeign(result.error);
          }
          answer(result);
        });
      };
    },
    ended: (signal, count) => {
      totals[signal] += count;
    },
    failed: (error) => {
      trouble ??= reasonOf(error);
    },
    undelivered(otherwise, isDone, isAsked) {
      const lost: { -readonly [signal in Signal]?: Undelivered[signal] } = {};
      for (const signal of ['traces', 'logs'] as const) {
        const found = [...byExporter.values()].filter((each) => each.signal === signal);
        const count = lostCount(signal, found, isDone);
        const isQuiet = !isAsked(signal) && signal === 'logs' && found.every((each) => each.isForeign);
        if (count > 0 && !isQuiet)
          lost[signal] = { lost: count, why: whyOf(found) ?? (isDone ? trouble : undefined) ?? otherwise };
      }
      const metrics = [...byExporter.values()].filter(({ signal }) => signal === 'metrics');
      const why = whyOf(metrics.filter((each) => isAsked('metrics') || !each.isForeign));
      if (why !== undefined) lost.metrics = { why };
      return lost;
    },
  };
}

function whyOf(found: readonly Delivery[]): string | undefined {
  return found.find(({ why }) => why !== undefined)?.why;
}

function sizeOf(items: unknown): number {
  return Array.isArray(items) ? items.length : 1;
}

/** Spans and log records come as lists, and metrics as one object. */
function signalOf(items: unknown): Signal {
  if (!Array.isArray(items)) return 'metrics';
  const [first] = items;
  return typeof first === 'object' && first !== null && 'startTime' in first ? 'traces' : 'logs';
}

const NOT_TAKEN: readonly unknown[] = [404, 405, 501];
const GRPC_UNIMPLEMENTED = 12;

/** A backend for traces alone refuses metrics and logs in this way. */
function isForeign(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return NOT_TAKEN.includes(error.code) || error.code === GRPC_UNIMPLEMENTED;
}

/** Socket errors come as an aggregate without a message, with one error for each address. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  if (!(error instanceof Error) || error.message === '') return 'no answer';
  const code = 'code' in error && typeof error.code === 'number' ? error.code : undefined;
  return code === undefined || error.message.includes(String(code)) ? error.message : `${code} ${error.message}`;
}
