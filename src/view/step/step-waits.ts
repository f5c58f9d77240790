// The times of one step at a moment: how long it waited, was queued, was held and worked, and its attempts until then.
import type { Duration, Instant } from '../../base/quantity.ts';
import type { AttemptTimes, CallTimes, StepTimes } from '../times/step-times.ts';

export interface StepWaits {
  /** It waited for other steps. */
  readonly waited: Duration;
  /** It could begin, and waited for a free place. */
  readonly queued: Duration;
  /** It waited for people. */
  readonly held: Duration;
  /** It waited between two attempts. */
  readonly paused: Duration;
  /** Its attempts worked. */
  readonly worked: Duration;
}

/** A bar of the step's waterfall; the instants lie within the waterfall. */
export interface AttemptBar {
  readonly number: number;
  readonly began: Instant;
  readonly ended: Instant;
  readonly state: 'completed' | 'failed' | 'running';
  readonly code?: string;
  readonly calls: readonly CallTimes[];
}

export function stepWaits(times: StepTimes, now: Instant): StepWaits {
  const { planned, ready, began, ended } = times;
  const bars = attemptBars(times, now);
  const first = Math.min(began ?? ended ?? now, now);
  const free = Math.min(ready ?? first, first);
  return {
    waited: Math.max(0, free - planned),
    queued: ready === undefined ? 0 : Math.max(0, first - free),
    held: sum(times.held.map(({ began: from, ended: to }) => clipped(to, now) - Math.min(from, now))),
    paused: sum(bars.slice(1).map((bar, index) => Math.max(0, bar.began - (bars[index]?.ended ?? bar.began)))),
    worked: sum(bars.map((bar) => bar.ended - bar.began)),
  };
}

/** The attempts that had begun at the moment; one that had not ended yet is cut there. */
export function attemptBars({ attempts }: StepTimes, now: Instant): readonly AttemptBar[] {
  return attempts.flatMap((attempt): readonly AttemptBar[] => {
    if (attempt.began > now) return [];
    const state = stateOf(attempt, now);
    const calls = attempt.calls.filter((call) => call.began <= now);
    return [
      {
        number: attempt.number,
        began: attempt.began,
        ended: clipped(attempt.ended, now),
        state,
        calls,
        ...(state === 'failed' && attempt.failed !== undefined ? { code: attempt.failed.code } : {}),
      },
    ];
  });
}

function stateOf({ ended, failed }: AttemptTimes, now: Instant): AttemptBar['state'] {
  if (ended === undefined || ended > now) return 'running';
  return failed === undefined ? 'completed' : 'failed';
}

function clipped(instant: Instant | undefined, now: Instant): Instant {
  return Math.min(instant ?? now, now);
}

function sum(durations: readonly Duration[]): Duration {
  return durations.reduce((total, each) => total + Math.max(0, each), 0);
}
