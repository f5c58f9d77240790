// The axis at the top of the timeline: ticks, shortened stretches and the shown moment. A press on it chooses a moment.
import { durationText } from '../../../base/quantity.ts';
import { idleWords } from '../../../view/timeline/idle-stretches.ts';
import { versionAt } from '../../../view/timeline/run-slider.ts';
import { type TimeAxis, ticksOf } from '../../../view/timeline/time-axis.ts';
import { showAt } from '../state/playback.ts';
import { latest } from '../state/run.ts';
import { seen, until } from './run-time.ts';

interface AxisProps {
  readonly axis: TimeAxis;
  /** The width of the labels in pixels. */
  readonly left: number;
  /** The least distance of two ticks in pixels. */
  readonly apart: number;
}

export function AxisBar({ axis, left, apart }: AxisProps) {
  const choose = (event: PointerEvent): void => {
    const bar = event.currentTarget;
    if (!(bar instanceof HTMLElement) || (event.type === 'pointermove' && event.buttons !== 1)) return;
    if (event.type === 'pointerdown') bar.setPointerCapture(event.pointerId);
    showTime(axis.at(event.clientX - bar.getBoundingClientRect().left - left));
  };
  return (
    <div class="axis-bar" aria-hidden="true" onPointerDown={choose} onPointerMove={choose}>
      <span class="axis-title">spent, against its limit</span>
      {ticksOf(axis, apart).map(({ x, text, at }) => (
        <span key={at} class={text === '0' ? 'tick first' : 'tick'} style={{ left: `${left + x}px` }}>
          {text}
        </span>
      ))}
      {axis.gaps.map(({ x, width, from, to, why }) => (
        <span
          key={from}
          class="gap-length"
          style={{ left: `${left + x}px`, width: `${width}px` }}
          title={`the run ${idleWords[why]} for ${durationText(to - from)}; this stretch is drawn shorter`}
        >
          {durationText(to - from)}
        </span>
      ))}
    </div>
  );
}

/** The ticks, the gaps and the shown moment, drawn behind and over all rows. */
export function Grid({ axis, left, apart }: AxisProps) {
  const moment = seen.value;
  const now = axis.x(until.value);
  return (
    <div class="grid" aria-hidden="true" style={{ left: `${left}px`, width: `${axis.width}px` }}>
      {ticksOf(axis, apart).map(({ x, at }) => (
        <i key={at} class="grid-line" style={{ left: `${x}px` }} />
      ))}
      {axis.gaps.map(({ x, width, from }) => (
        <i key={from} class="grid-gap" style={{ left: `${x}px`, width: `${width}px` }} />
      ))}
      {moment?.isLatest === false && now >= 0 && now <= axis.width && (
        <i class="grid-moment" style={{ left: `${now}px` }} />
      )}
    </div>
  );
}

/** Shows the state after the last event up to a time. */
function showTime(at: number): void {
  const events = latest.peek()?.all ?? [];
  showAt(at >= (events.at(-1)?.at ?? 0) ? undefined : versionAt(events, at));
}
