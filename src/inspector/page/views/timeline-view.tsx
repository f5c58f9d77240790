// The timeline of the run: phases, steps, attempts and model calls over time, below what was spent, on one axis.
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { timeAxis } from '../../../view/timeline/time-axis.ts';
import { AxisBar, Grid } from '../timeline/axis-bar.tsx';
import { Burn } from '../timeline/burn.tsx';
import { Hatches } from '../timeline/hatches.tsx';
import { Rows } from '../timeline/rows.tsx';
import { end, present, shortened } from '../timeline/run-time.ts';
import { useSteadyScroll } from '../timeline/steady-scroll.ts';
import { isNarrow, keepTimelineState, moveTime, timeWindow, zoomTime } from '../timeline/timeline-state.ts';

/** The seen part of the scrolled content, in pixels. */
interface SeenPart {
  readonly top: number;
  readonly height: number;
  readonly width: number;
}

/** Rows are drawn this far beyond the seen part, and anew when half of that has been scrolled. */
const BEYOND = 400;
const NARROW = 600;

export function TimelineView() {
  const scroller = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLDivElement>(null);
  const [seen] = useState(() => signal<SeenPart>({ top: 0, height: 800, width: 0 }));
  useEffect(keepTimelineState, []);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const look = (): void => {
      const { scrollTop: top, clientHeight: height, clientWidth: width } = box;
      const before = seen.peek();
      isNarrow.value = width < NARROW;
      if (before.width !== width || before.height !== height || Math.abs(before.top - top) > BEYOND / 2)
        seen.value = { top, height, width };
    };
    const resized = new ResizeObserver(look);
    resized.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      resized.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [seen]);

  useSteadyScroll(scroller, above, present.value !== undefined && seen.value.width > 0);
  const moment = present.value;
  const { top, height, width } = seen.value;
  const narrow = isNarrow.value;
  const left = narrow ? 128 : 220;
  const plot = Math.max(40, width - left - (narrow ? 10 : 20));
  const [last, short, part] = [end.value, shortened.value, timeWindow.value];
  const from = moment?.times.began;
  const axis = useMemo(
    () =>
      from === undefined
        ? undefined
        : timeAxis({ from, to: last, width: plot, short, gapWidth: narrow ? 42 : 48, window: part }),
    [from, last, plot, short, part, narrow],
  );
  const apart = narrow ? 56 : 84;
  const offset = above.current?.offsetHeight ?? 0;
  const wheel = (event: WheelEvent): void => {
    if (axis === undefined || !(event.currentTarget instanceof HTMLElement)) return;
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - left;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoomTime(Math.exp(-event.deltaY * 0.002), axis.at(x));
    } else if (event.deltaX !== 0) moveTime(event.deltaX / plot);
  };
  return (
    <div class="waterfall" ref={scroller} onWheel={wheel}>
      <Hatches />
      {axis !== undefined && width > 0 && (
        <>
          <AxisBar axis={axis} left={left} apart={apart} />
          <div class="time-sheet">
            <Grid axis={axis} left={left} apart={apart} />
            <div ref={above}>
              <Burn axis={axis} left={left} isNarrow={narrow} />
            </div>
            <Rows axis={axis} left={left} seen={{ from: top - offset - BEYOND, to: top - offset + height + BEYOND }} />
          </div>
        </>
      )}
    </div>
  );
}
