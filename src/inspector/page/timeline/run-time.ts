// The time of the shown run: its phases, its critical path, the present, the shown moment, and what is idle between.
import { computed, effect, signal } from '@preact/signals';
import type { Duration, Instant } from '../../../base/quantity.ts';
import { type PhaseTree, phaseTree } from '../../../view/phases/phase-tree.ts';
import { type IdleStretch, idleStretches, stretchesToShorten } from '../../../view/timeline/idle-stretches.ts';
import { criticalPath } from '../../../view/times/critical-path.ts';
import { latest, type Moment, shown, summary } from '../state/run.ts';

/** The latest moment. A run with many steps takes long to draw, so it is drawn after some of its events. */
export const present = signal<Moment | undefined>(undefined);

/** The shown moment, as calm as the present. */
export const seen = computed<Moment | undefined>(() => {
  const moment = shown.value;
  return moment?.isLatest === true && present.value?.run === moment.run ? present.value : moment;
});

/** The phases of the whole run; only new steps and plans change them, and their counts are not up to date. */
export const latestTree = computed<PhaseTree | undefined>(() => {
  const moment = present.value;
  if (moment === undefined) return undefined;
  const { id, steps, phases } = moment.state;
  const key = `${id} ${steps.size} ${phases.size}`;
  if (lastTree?.key !== key) lastTree = { key, tree: phaseTree(moment.state) };
  return lastTree.tree;
});
let lastTree: { readonly key: string; readonly tree: PhaseTree } | undefined;

export const critical = computed<ReadonlySet<string>>(() => {
  const moment = present.value;
  return new Set(moment === undefined ? [] : criticalPath(moment.state, moment.times));
});

/** Something is at work now, so that the time of the run goes on. */
export const isAtWork = computed<boolean>(() => {
  const moment = present.value;
  return moment !== undefined && moment.state.running.size > 0 && summary.value?.status !== 'interrupted';
});

/** The present of the machine that drives the run, as far as the page knows it. */
const clock = signal<Instant>(0);

/** The end of the axis: the present of a run that works, else its last event. */
export const end = computed<Instant>(() => {
  const last = present.value?.times.last ?? 0;
  return isAtWork.value ? Math.max(last, clock.value) : last;
});

/** The shown moment: nothing later is drawn as done. */
export const until = computed<Instant>(() => {
  const moment = seen.value;
  if (moment === undefined) return 0;
  return moment.isLatest ? end.value : (moment.all[moment.version - 1]?.at ?? end.value);
});

/** A person wants all idle time at its true length. */
export const isToScale = signal(false);

/** The stretches that can be shortened. */
export const longIdle = computed<readonly IdleStretch[]>(() => {
  const moment = present.value;
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
/** Runs with more steps are drawn anew less often. */
const MANY_STEPS = 1_500;
const CALM: Duration = 250;

/** Moves the present while something is at work and the page can be seen. */
export function keepTime(): () => void {
  const stops = [keepPresent(), keepClock()];
  return () => {
    for (const stop of stops) stop();
  };
}

function keepPresent(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = effect(() => {
    const moment = latest.value;
    const before = present.peek();
    if (moment !== undefined && moment.run === before?.run && moment.state.steps.size > MANY_STEPS) {
      timer ??= setTimeout(() => {
        timer = undefined;
        present.value = latest.peek();
      }, CALM);
    } else present.value = moment;
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

function keepClock(): () => void {
  let ahead: Duration = 0;
  let before: Moment | undefined;
  const beat = matchMedia('(prefers-reduced-motion: reduce)').matches ? SLOW_BEAT : BEAT;
  const tick = (): void => {
    clock.value = Date.now() - ahead;
  };
  const stopMeasuring = effect(() => {
    const moment = latest.value;
    // Events that arrive while one watches were written just now.
    if (moment !== undefined && before?.run === moment.run && moment.version > before.version) {
      const found = Date.now() - moment.times.last;
      ahead = Math.abs(found) > MOST_DELAY ? found : 0;
    } else if (moment?.run !== before?.run) ahead = 0;
    before = moment;
  });
  const stopTicking = effect(() => {
    if (!isAtWork.value) return;
    tick();
    const isLarge = (present.peek()?.state.steps.size ?? 0) > MANY_STEPS;
    const timer = setInterval(() => document.visibilityState === 'visible' && tick(), isLarge ? CALM : beat);
    return () => clearInterval(timer);
  });
  return () => {
    stopMeasuring();
    stopTicking();
  };
}
