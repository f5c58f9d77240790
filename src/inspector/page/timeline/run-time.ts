// The time of the shown run: its phases, its critical path, the present, the shown moment, and what is idle between.
import { computed, effect, signal } from '@preact/signals';
import type { Duration, Instant } from '../../../base/quantity.ts';
import { type PhaseTree, phaseTree } from '../../../view/phases/phase-tree.ts';
import { type IdleStretch, idleStretches, stretchesToShorten } from '../../../view/timeline/idle-stretches.ts';
import { criticalPath } from '../../../view/times/critical-path.ts';
import { latest, type Moment, shown, summary } from '../state/run.ts';

export const latestTree = computed<PhaseTree | undefined>(() => {
  const moment = latest.value;
  return moment && phaseTree(moment.state);
});

export const critical = computed<ReadonlySet<string>>(() => {
  const moment = latest.value;
  return new Set(moment === undefined ? [] : criticalPath(moment.state, moment.times));
});

/** Something is at work now, so that the time of the run goes on. */
export const isAtWork = computed<boolean>(() => {
  const moment = latest.value;
  return moment !== undefined && moment.state.running.size > 0 && summary.value?.status !== 'interrupted';
});

/** The present of the machine that drives the run, as far as the page knows it. */
const clock = signal<Instant>(0);

/** The end of the axis: the present of a run that works, else its last event. */
export const end = computed<Instant>(() => {
  const last = latest.value?.times.last ?? 0;
  return isAtWork.value ? Math.max(last, clock.value) : last;
});

/** The shown moment: nothing later is drawn as done. */
export const until = computed<Instant>(() => {
  const moment = shown.value;
  if (moment === undefined) return 0;
  return moment.isLatest ? end.value : (moment.all[moment.version - 1]?.at ?? end.value);
});

/** A person wants all idle time at its true length. */
export const isToScale = signal(false);

/** The stretches that can be shortened. */
export const longIdle = computed<readonly IdleStretch[]>(() => {
  const moment = latest.value;
  if (moment === undefined) return [];
  const { times } = moment;
  return stretchesToShorten(idleStretches(times, end.value), end.value - times.began);
});

export const shortened = computed<readonly IdleStretch[]>(() => (isToScale.value ? [] : longIdle.value));

/** The time of a living run moves this often. */
const BEAT: Duration = 100;
const SLOW_BEAT: Duration = 1_000;
/** Delays of messages are shorter; a larger difference is that of another machine's clock. */
const MOST_DELAY: Duration = 2_000;

/** Moves the present while something is at work and the page can be seen. */
export function keepTime(): () => void {
  let ahead: Duration = 0;
  let seen: Moment | undefined;
  const beat = matchMedia('(prefers-reduced-motion: reduce)').matches ? SLOW_BEAT : BEAT;
  const tick = (): void => {
    clock.value = Date.now() - ahead;
  };
  const stopMeasuring = effect(() => {
    const moment = latest.value;
    // Events that arrive while one watches were written just now.
    if (moment !== undefined && seen?.run === moment.run && moment.version > seen.version) {
      const found = Date.now() - moment.times.last;
      ahead = Math.abs(found) > MOST_DELAY ? found : 0;
    } else if (moment?.run !== seen?.run) ahead = 0;
    seen = moment;
  });
  const stopTicking = effect(() => {
    if (!isAtWork.value) return;
    tick();
    const timer = setInterval(() => document.visibilityState === 'visible' && tick(), beat);
    return () => clearInterval(timer);
  });
  return () => {
    stopMeasuring();
    stopTicking();
  };
}
