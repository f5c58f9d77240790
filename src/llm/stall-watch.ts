// Cuts a streamed reply when the server is silent for too long between two pieces.
import type { Failure } from '../base/failure.ts';
import { type Duration, durationText } from '../base/quantity.ts';
import { tooSlow } from './model-failure.ts';

export interface Timer {
  /** Calls back once after the delay unless the function it returns is called first. */
  wake(after: Duration, callback: () => void): () => void;
}

/** The longest delay of a timer. */
const LONGEST_TIMER = 2_147_483_647;

export const systemTimer: Timer = {
  wake(after, callback) {
    const timer = setTimeout(callback, Math.min(after, LONGEST_TIMER));
    return () => clearTimeout(timer);
  },
};

export interface StallWatch {
  /** Aborted when the stream has stalled. */
  readonly signal: AbortSignal;
  /** Undefined until the stream has stalled. */
  failure(): Failure | undefined;
  /** A piece has arrived. The watch begins with the first: before it, the server may still read the prompt. */
  heard(): void;
  end(): void;
}

/** @param who the model as messages name it */
export function stallWatch(
  timer: Timer,
  { who, longest }: { readonly who: string; readonly longest: Duration },
): StallWatch {
  const stalled = new AbortController();
  let cancel = (): void => {};
  return {
    signal: stalled.signal,
    failure: () =>
      stalled.signal.aborted
        ? tooSlow(who, `further: its stream was silent for ${durationText(longest)} (stall_timeout)`)
        : undefined,
    heard() {
      cancel();
      cancel = timer.wake(longest, () => stalled.abort());
    },
    end: () => cancel(),
  };
}
