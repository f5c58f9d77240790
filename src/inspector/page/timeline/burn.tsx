// The lanes of the burn above the rows, on the same axis.
import { burnLanes } from '../../../view/timeline/burn-lanes.ts';
import type { TimeAxis } from '../../../view/timeline/time-axis.ts';
import { isAtWork, present, until } from './run-time.ts';

interface BurnProps {
  readonly axis: TimeAxis;
  /** The width of the labels in pixels. */
  readonly left: number;
  readonly isNarrow: boolean;
}

/** A narrow page has room for the first lanes only. */
const FEW = 2;

export function Burn({ axis, left, isNarrow }: BurnProps) {
  const moment = present.value;
  if (moment === undefined) return null;
  const height = isNarrow ? 32 : 36;
  const { lanes, unused } = burnLanes({
    burn: moment.times.burn,
    axis,
    until: until.value,
    isLive: isAtWork.value,
    height,
  });
  return (
    <section class="burn" aria-label="Spent, against the limits">
      {lanes.slice(0, isNarrow ? FEW : lanes.length).map((lane) => (
        <div key={lane.resource} class="lane" style={{ height: `${height}px` }}>
          <div class="lane-label" style={{ width: `${left - 8}px` }}>
            <b>{lane.name}</b>
            <span class={lane.isTight ? 'text-bad' : 'dim'}>{lane.amount}</span>
          </div>
          <svg width={axis.width} height={height} aria-hidden="true" style={{ left: `${left}px` }}>
            {lane.reserve !== '' && <path class="reserve" d={lane.reserve} />}
            {lane.limit !== '' && <path class="limit" d={lane.limit} />}
            {lane.landing !== '' && <path class="landing" d={lane.landing} />}
            <path class="spent-area" d={lane.area} />
            <path class="spent" d={lane.line} />
          </svg>
          {lane.note !== '' && !isNarrow && (
            <span class="lane-note" style={{ left: `${left + 8}px` }}>
              {lane.note}
            </span>
          )}
        </div>
      ))}
      {unused !== '' && !isNarrow && <p class="unused dim">{unused}</p>}
    </section>
  );
}
