// Ids of traces and spans, derived from the run and its events, so that repeated exports give the same trace.
import { digestOfText } from '../base/digest.ts';
import type { Instant } from '../base/quantity.ts';

/** The place of a run in a trace. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly trace: string;
  /** The caller's span, as the parent of the run's span. */
  readonly parent?: string;
  /** The caller decided not to sample this trace. */
  readonly unsampled?: true;
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/;

/**
 * Run ids are short, so the start time keeps runs of different stores apart. `traceparent` is a W3C trace context to
 * continue.
 */
export function traceContext(run: string, startedAt: Instant, traceparent = ''): TraceContext {
  return readTraceparent(traceparent) ?? { trace: hex(digestOfText(`trace ${run} ${startedAt}`), 16) };
}

/** Undefined when the text is no W3C trace context. */
export function readTraceparent(text: string): (TraceContext & { readonly parent: string }) | undefined {
  const [, trace = '', parent = '', flags = '01'] = TRACEPARENT.exec(text) ?? [];
  if (!/[1-9a-f]/.test(trace) || !/[1-9a-f]/.test(parent)) return undefined;
  const unsampled = (Number.parseInt(flags, 16) & 1) === 0;
  return { trace, parent, ...(unsampled ? { unsampled } : {}) };
}

/** The W3C form of a span's context. */
export function traceparentOf({ trace, unsampled }: TraceContext, span: string): string {
  return `00-${trace}-${span}-${unsampled ? '00' : '01'}`;
}

/** A deterministic id for the n-th span that an event starts, unique in its trace. */
export type SpanIds = (version: number, nth: number) => string;

/** The number of an attempt's or a call's span, so that its id follows from the version of its event alone. */
export const OWN_SPAN = 0x8000_0000;

export function spanIds(run: string, startedAt: Instant): SpanIds {
  const seed = hex(digestOfText(`span ${run} ${startedAt}`), 8);
  const high = Number.parseInt(seed.slice(0, 8), 16);
  const low = Number.parseInt(seed.slice(8), 16);
  const lows: string[] = [];
  const own = word(low ^ OWN_SPAN);
  // Each half is a bijection, so no two spans share an id.
  return (version, nth) => {
    if (nth === OWN_SPAN) return word(high ^ version) + own;
    lows[nth] ??= word(low ^ nth);
    return word(high ^ version) + lows[nth];
  };
}

function word(bits: number): string {
  return (bits >>> 0).toString(16).padStart(8, '0');
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The first bytes of a digest in hexadecimal. */
function hex(digest: string, bytes: number): string {
  const bits = [...digest].map((digit) => DIGITS.indexOf(digit).toString(2).padStart(6, '0')).join('');
  return Array.from({ length: bytes }, (_, i) =>
    Number.parseInt(bits.slice(i * 8, i * 8 + 8), 2)
      .toString(16)
      .padStart(2, '0'),
  ).join('');
}
