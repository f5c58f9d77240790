// Keeps the rows of the timeline where a person looks: nothing jumps when rows come, open or close.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { TimelineRow } from '../../../view/timeline/timeline-rows.ts';
import { place } from '../state/place.ts';
import { present } from './run-time.ts';
import { rows } from './timeline-state.ts';

interface Ref<T> {
  readonly current: T | null;
}

const byHand = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;
/** Space below the followed row, in pixels. */
const MARGIN = 60;

/**
 * The topmost seen row stays in its place. The chosen step is shown. The steps at work are followed while they are seen.
 *
 * @param above what stands above the rows in the scroller
 * @param isReady the rows are drawn
 */
export function useSteadyScroll(scroller: Ref<HTMLElement>, above: Ref<HTMLElement>, isReady: boolean): void {
  const kept = useRef<{ readonly key: string; readonly top: number } | undefined>(undefined);
  const chosen = useRef<string | undefined>(undefined);
  const isFollowing = useRef(true);
  /** A person has scrolled or pressed something here. */
  const isTouched = useRef(false);
  const list = rows.value;
  const { step } = place.value;
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null || !isReady) return;
    const offset = above.current?.offsetHeight ?? 0;
    const topmost = (): TimelineRow | undefined => list.find((row) => row.top + offset >= box.scrollTop);
    const bottomOf = (row: TimelineRow): number => row.top + row.height + offset;
    const isSeen = (row: TimelineRow): boolean =>
      row.top + offset >= box.scrollTop && bottomOf(row) <= box.scrollTop + box.clientHeight;

    const before = kept.current;
    const same = before && list.find(({ key }) => key === before.key);
    if (before !== undefined && same !== undefined && box.scrollTop > offset) box.scrollTop += same.top - before.top;

    const own = list.find((row) => row.kind === 'step' && row.step === step);
    if (step === undefined) chosen.current = undefined;
    else if (step !== chosen.current && own !== undefined) {
      if (!isSeen(own)) box.scrollTop = own.top + offset - box.clientHeight / 2;
      chosen.current = step;
      isFollowing.current = false;
    }

    const working = list.findLast(isWorking);
    if (working !== undefined && isFollowing.current && !isSeen(working))
      box.scrollTop = Math.max(box.scrollTop, bottomOf(working) + MARGIN - box.clientHeight);

    const remember = (): void => {
      const first = topmost();
      kept.current = first && { key: first.key, top: first.top };
    };
    remember();
    const scrolled = (): void => {
      remember();
      if (isTouched.current && working !== undefined) isFollowing.current = isSeen(working);
    };
    const touched = (): void => {
      isTouched.current = true;
    };
    box.addEventListener('scroll', scrolled, { passive: true });
    for (const name of byHand) box.addEventListener(name, touched, { passive: true });
    return () => {
      box.removeEventListener('scroll', scrolled);
      for (const name of byHand) box.removeEventListener(name, touched);
    };
  }, [list, step, isReady]);
}

function isWorking(row: TimelineRow): boolean {
  const { running } = present.peek()?.state ?? {};
  return row.kind === 'step' && running?.has(row.step) === true;
}
