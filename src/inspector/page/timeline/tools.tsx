// The legend of the timeline, and the buttons that change its scale.
import { counted } from '../../../base/counted.ts';
import { isToScale, longIdle } from './run-time.ts';
import { showAllTime, timeWindow, zoomTime } from './timeline-state.ts';

const ZOOM = 1.6;

export function TimelineTools() {
  const gaps = longIdle.value.length;
  return (
    <div class="timeline-tools">
      <ul class="time-legend" aria-label="Legend">
        <Sign name="planning" draw={<rect class="planning" x={5} y={0} width={4} height={12} />} />
        <Sign name="at work" draw={<rect class="bar completed" x={0.5} y={1.5} width={13} height={9} rx={2} />} />
        <Sign name="queued" draw={<rect class="queued" x={0.5} y={2.5} width={13} height={7} />} />
        <Sign name="waiting for others" draw={<path class="waits" d="M0 6h14" />} />
        <Sign name="critical path" draw={<rect class="critical" x={0} y={5} width={14} height={3} />} />
        <Sign name="model call" draw={<rect class="call" x={0} y={4} width={14} height={4} />} />
      </ul>
      {gaps > 0 && (
        <button
          type="button"
          aria-pressed={isToScale.value}
          title="Idle stretches that would squeeze the work are drawn shorter"
          onClick={() => {
            isToScale.value = !isToScale.value;
          }}
        >
          {isToScale.value ? `shorten ${counted(gaps, 'wait')}` : `${counted(gaps, 'wait')} shortened`}
        </button>
      )}
      <fieldset class="zoom-time" aria-label="Scale of the time">
        <button type="button" aria-label="Zoom in" data-key="zoom-in" onClick={() => zoomTime(ZOOM)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" data-key="zoom-out" onClick={() => zoomTime(1 / ZOOM)}>
          −
        </button>
        <button
          type="button"
          title="Show the whole time"
          data-key="fit"
          disabled={timeWindow.value === undefined}
          onClick={showAllTime}
        >
          fit
        </button>
      </fieldset>
    </div>
  );
}

function Sign({ name, draw }: { readonly name: string; readonly draw: preact.JSX.Element }) {
  return (
    <li>
      <svg width={14} height={12} aria-hidden="true">
        {draw}
      </svg>
      {name}
    </li>
  );
}
