// The rows of the timeline as a tree; above 200 rows it draws only those that are seen.
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { phaseShapes, restShapes } from '../../../view/timeline/phase-shapes.ts';
import { rowLabel } from '../../../view/timeline/row-label.ts';
import type { RowShape } from '../../../view/timeline/shapes.ts';
import { stepShapes } from '../../../view/timeline/step-shapes.ts';
import type { TimeAxis } from '../../../view/timeline/time-axis.ts';
import type { TimelineRow } from '../../../view/timeline/timeline-rows.ts';
import { go, place } from '../state/place.ts';
import { type Moment, shown } from '../state/run.ts';
import { Row, rowId } from './row.tsx';
import { moveFocus } from './row-keys.ts';
import { critical, latestTree, until } from './run-time.ts';
import { active, isNarrow, openRow, rows } from './timeline-state.ts';

interface RowsProps {
  readonly axis: TimeAxis;
  readonly left: number;
  /** The seen part of the rows in pixels. */
  readonly seen: { readonly from: number; readonly to: number };
}

/** Up to this number all rows are drawn. */
const FEW_ROWS = 200;

export function Rows({ axis, left, seen }: RowsProps) {
  const list = rows.value;
  const moment = shown.value;
  const box = useRef<HTMLDivElement>(null);
  const last = list.at(-1);
  const drawn = useMemo(
    () =>
      list.length <= FEW_ROWS
        ? list
        : list.filter(
            ({ top, height, key }) =>
              (top + height >= seen.from && top <= seen.to) || key === active.value || key === place.value.step,
          ),
    [list, seen.from, seen.to, active.value, place.value.step],
  );
  useLayoutEffect(() => {
    const key = active.value;
    if (key !== undefined && document.activeElement === box.current) show(box.current, key);
  }, [active.value]);
  if (moment === undefined) return null;
  const press = (event: MouseEvent): void => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    const row = list.find(({ key }) => key === target.closest<HTMLElement>('[data-row]')?.dataset.row);
    if (row === undefined) return;
    active.value = row.key;
    // The row itself may no longer be drawn after the next scroll.
    box.current?.focus({ preventScroll: true });
    const marked = target.closest<SVGElement>('[data-step]')?.dataset.step;
    if (marked !== undefined) go({ step: marked, gate: undefined });
    else openRow(row);
  };
  return (
    <div
      ref={box}
      class="time-rows"
      role="tree"
      aria-label="Phases and steps over time"
      tabIndex={0}
      aria-activedescendant={active.value === undefined ? undefined : rowId(active.value)}
      style={{ height: `${last === undefined ? 0 : last.top + last.height}px` }}
      onClick={press}
      onKeyDown={(event) => moveFocus(event, list)}
      onFocus={() => {
        active.value ??= list[0]?.key;
      }}
    >
      {drawn.map((row) => (
        <Row
          key={row.key}
          row={row}
          label={rowLabel(
            {
              state: moment.state,
              times: moment.times,
              until: until.value,
              isCritical: row.kind === 'step' && critical.value.has(row.step),
            },
            row,
          )}
          shapes={shapesOf(moment, row, axis)}
          index={list.indexOf(row) + 1}
          count={list.length}
          left={left}
          width={axis.width}
          indent={(isNarrow.value ? 6 : 10) + row.depth * (isNarrow.value ? 7 : 14)}
          isActive={row.key === active.value}
          isChosen={row.kind === 'step' && row.step === place.value.step}
        />
      ))}
    </div>
  );
}

/** Scrolls by the smallest distance that shows a row. */
export function show(box: HTMLElement | null, key: string): void {
  box?.querySelector(`[id="${CSS.escape(rowId(key))}"]`)?.scrollIntoView({ block: 'nearest' });
}

function shapesOf({ state, times }: Moment, row: TimelineRow, axis: TimeAxis): readonly RowShape[] {
  const tree = latestTree.value;
  if (tree === undefined) return [];
  const { height } = row;
  const request = { times, tree, critical: critical.value, axis, until: until.value, height };
  if (row.kind === 'phase') return phaseShapes(request, row.phase);
  if (row.kind === 'rest') return restShapes(request, row.steps);
  const step = state.steps.get(row.step);
  const own = times.steps.get(row.step);
  if (step === undefined || own === undefined) return [];
  return stepShapes({ step, times: own, state, axis, until: until.value, isCritical: critical.value.has(row.step) });
}
