// The slider at the foot: it moves over the events of the run, drawn on the axis of its time.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../../../base/counted.ts';
import { durationText } from '../../../base/quantity.ts';
import { eventLine } from '../../../view/event-line.ts';
import { runSlider, versionAt } from '../../../view/timeline/run-slider.ts';
import { timeAxis } from '../../../view/timeline/time-axis.ts';
import { openOrder } from '../state/order-state.ts';
import { isPlaying, keepPlaying, showAt } from '../state/playback.ts';
import { isReadOnly, type Moment } from '../state/run.ts';
import { end, keepTime, latestTree, longIdle, seen, until } from '../timeline/run-time.ts';

export function TimeSlider() {
  useEffect(keepPlaying, []);
  useEffect(keepTime, []);
  const moment = seen.value;
  if (moment === undefined) return null;
  const { run, version, isLatest } = moment;
  return (
    <footer class="time-slider">
      <button
        type="button"
        class="play"
        onClick={() => {
          isPlaying.value = !isPlaying.value;
        }}
        aria-label={isPlaying.value ? 'Stop' : 'Play the run'}
        title="space"
      >
        {isPlaying.value ? '❚❚' : '▶'}
      </button>
      <Track moment={moment} />
      <Now moment={moment} />
      <div class="moment-orders">
        <button
          type="button"
          disabled={isLatest || isReadOnly.value}
          title={
            isReadOnly.value
              ? 'the store is read-only'
              : isLatest
                ? 'go back in time first: choose an earlier event'
                : `start a new run from event ${version}`
          }
          onClick={() => {
            openOrder.value = { run, order: 'fork', at: version };
          }}
        >
          fork …
        </button>
        <button
          type="button"
          class={isLatest ? 'now here' : 'now'}
          disabled={isLatest}
          onClick={() => showAt(undefined)}
          title="."
        >
          now
        </button>
      </div>
    </footer>
  );
}

const TOP = 13;
const BOTTOM = 35;
const HEIGHT = 48;
const GAP_WIDTH = 14;

/** The keyboard moves over events, and a pointer over times. */
function Track({ moment }: { readonly moment: Moment }) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    const frame = box.current;
    if (frame === null) return;
    const resized = new ResizeObserver(() => setWidth(frame.clientWidth));
    resized.observe(frame);
    setWidth(frame.clientWidth);
    return () => resized.disconnect();
  }, []);
  const { all, version, isLatest, times, state } = moment;
  const [last, short] = [end.value, longIdle.value];
  const tree = latestTree.value;
  const axis = useMemo(
    () => timeAxis({ from: times.began, to: last, width, short, gapWidth: GAP_WIDTH }),
    [times, last, width, short],
  );
  const openGates = isLatest ? state.openGates : undefined;
  const shapes = useMemo(
    () => tree && runSlider({ times, tree, axis, top: TOP, bottom: BOTTOM, openGates: openGates ?? new Set() }),
    [times.last, tree, axis, openGates?.size],
  );
  const point = (event: PointerEvent): void => {
    const frame = event.currentTarget;
    if (!(frame instanceof HTMLElement) || (event.type === 'pointermove' && event.buttons !== 1)) return;
    if (event.type === 'pointerdown') frame.setPointerCapture(event.pointerId);
    const x = event.clientX - frame.getBoundingClientRect().left;
    showAt(x >= width - 2 ? undefined : versionAt(all, axis.at(x)));
  };
  const at = Math.max(0, Math.min(width - 2, Math.max(2, axis.x(until.value))));
  return (
    <div class="time-track" ref={box} onPointerDown={point} onPointerMove={point}>
      <input
        type="range"
        min={1}
        max={all.length}
        value={version}
        aria-label="Event of the journal"
        aria-valuetext={valueText(moment)}
        onInput={(event) => showAt(Number(event.currentTarget.value))}
      />
      <svg width={width} height={HEIGHT} aria-hidden="true">
        {shapes?.phases.map(({ x, width: wide, text, isEven }) => (
          <g key={x}>
            <rect
              class={isEven ? 'phase-even' : 'phase-odd'}
              x={x}
              y={TOP - 1}
              width={wide}
              height={BOTTOM - TOP + 1}
            />
            {text !== '' && (
              <text class="phase-name" x={x + 3} y={HEIGHT - 2}>
                {text}
              </text>
            )}
          </g>
        ))}
        <path class="work-whole" d={shapes?.area} />
        <svg width={at} height={HEIGHT} aria-hidden="true">
          <path class="work-past" d={shapes?.area} />
        </svg>
        {axis.gaps.map(({ x, width: wide, from }) => (
          <rect key={from} class="slider-gap" x={x} y={TOP - 1} width={wide} height={BOTTOM - TOP + 1} />
        ))}
        {shapes?.marks.map(({ of, x, isOpen }) => (
          <SliderMark
            key={`${of} ${x}`}
            of={of}
            x={Math.min(width - 6, x)}
            isOpen={isOpen}
            isMany={shapes.marks.length > MANY_MARKS}
          />
        ))}
        <path class="thumb-line" d={`M${at} ${TOP - 4}V${BOTTOM + 1}`} />
        <circle class="thumb" cx={at} cy={BOTTOM - 1} r={5} />
      </svg>
    </div>
  );
}

/** More glyphs would cover each other, so that failures become strokes. */
const MANY_MARKS = 40;

interface MarkProps {
  readonly of: 'failed' | 'replan' | 'gate';
  readonly x: number;
  readonly isOpen: boolean;
  readonly isMany: boolean;
}

function SliderMark({ of, x, isOpen, isMany }: MarkProps) {
  if (of === 'gate') return <path class={isOpen ? 'mark-gate open' : 'mark-gate'} d={`M${x} 1l5 5l-5 5l-5-5z`} />;
  if (isMany) return <rect class={`stroke-${of}`} x={x - 0.75} y={3} width={1.5} height={7} />;
  return (
    <text class={`mark-${of}`} x={of === 'replan' ? x + 8 : x} y={10} text-anchor="middle">
      {of === 'failed' ? '✗' : '⟲'}
    </text>
  );
}

/** The time of the shown moment, and what happened at it. */
function Now({ moment }: { readonly moment: Moment }) {
  const { all, version, isLatest, times, state } = moment;
  const running = state.running.size;
  const asked = state.openGates.size;
  const doing = isLatest
    ? asked > 0
      ? asked === 1
        ? 'now · the gate is open'
        : `now · ${counted(asked, 'gate')} are open`
      : state.status === 'ended'
        ? 'now · the run has ended'
        : `now · ${running} at work`
    : `${running} at work then`;
  const line = lineOf(moment);
  return (
    <div class="moment">
      <div>
        <b>{durationText(until.value - times.began)}</b>{' '}
        <span class="dim">
          of {durationText(end.value - times.began)} · {doing}
        </span>
      </div>
      <output class="event-line" title={line}>
        <span class="dim">
          {version} / {all.length}
        </span>{' '}
        {line}
      </output>
    </div>
  );
}

function lineOf({ all, version }: Moment): string {
  const recorded = all[version - 1];
  return recorded === undefined ? '' : eventLine(recorded, all[0]?.at ?? recorded.at);
}

function valueText(moment: Moment): string {
  const { all, version, times } = moment;
  const at = (all[version - 1]?.at ?? times.began) - times.began;
  return `${durationText(at)} of ${durationText(times.last - times.began)}, event ${version} of ${all.length}: ${lineOf(moment)}`;
}
