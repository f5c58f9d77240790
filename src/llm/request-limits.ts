// The limits of one request: it ends when its caller stops, when its time is up, and when its stream stalls.
import type { Failure } from '../base/failure.ts';
import { type Duration, durationText } from '../base/quantity.ts';
import { stopped, tooSlow } from './model-failure.ts';
import type { StallWatch } from './stall-watch.ts';

export interface LimitOptions {
  /** The model as messages name it. */
  readonly who: string;
  /** Aborted when the caller stops. */
  readonly signal: AbortSignal;
  readonly timeout: Duration;
  /** Absent: nothing is streamed. */
  readonly watch?: Pick<StallWatch, 'signal' | 'failure'> | undefined;
}

export interface RequestLimits {
  /** Aborted at the first of the limits. */
  readonly signal: AbortSignal;
  /** The limit that was reached; undefined while the request may go on. */
  failure(): Failure | undefined;
}

/** The longest delay of a timer. */
const LONGEST_TIMER = 2_147_483_647;

export function requestLimits({ who, signal, timeout, watch }: LimitOptions): RequestLimits {
  const clock = AbortSignal.timeout(Math.min(timeout, LONGEST_TIMER));
  return {
    signal: AbortSignal.any(watch === undefined ? [signal, clock] : [signal, clock, watch.signal]),
    failure() {
      if (signal.aborted) return stopped(who);
      return watch?.failure() ?? (clock.aborted ? tooSlow(who, `within ${durationText(timeout)}`) : undefined);
    },
  };
}
