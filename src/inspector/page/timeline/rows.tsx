// The rows of the timeline as a grid of a tree; above 200 rows it draws only those that are seen.
import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { type PhaseShapesRequest, phaseShapes, restShapes } from '../../../view/timeline/phase-shapes.ts';
import { rowLabel } from '../../../view/timeline/row-label.ts';
import type { RowShape } from '../../../view/timeline/shapes.ts';
import { stepShapes } from '../../../view/timeline/step-shapes.ts';
import type { TimeAxis } from '../../../view/timeline/time-axis.ts';
import type { TimelineRow } from '../../../view/timeline/timeline-rows.ts';
import { go, place } from '../state/place.ts';
import type { Moment } from '../state/run.ts';
import { Row, rowId } from './row.tsx';
import { moveFocus } from './row-keys.ts';
import { critical, latestTree, seen as shownMoment, until } from './run-time.ts';
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
  const moment = shownMoment.value;
  const box = useRef<HTMLDivElement>(null);
  const last = list.at(-1);
  const [now, path, tree, narrow] = [until.value, critical.value, latestTree.value, isNarrow.value];
  const chosen = place.value.step;
  // The same node twice is not compared again, so that scrolling draws only the rows that come.
  const nodes = useMemo(() => new Map<string, VNode>(), [moment, now, path, tree, axis, left, list]);
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
      role="treegrid"
      aria-label="Phases and steps over time"
      aria-rowcount={list.length}
      tabIndex={0}
      aria-activedescendant={active.value === undefined ? undefined : rowId(active.value)}
      style={{ height: `${last === undefined ? 0 : last.top + last.height}px` }}
      onClick={press}
      onKeyDown={(event) => moveFocus(event, list)}
      onFocus={() => {
        active.value ??= list[0]?.key;
      }}
    >
      {list.map((row, place) => {
        const isActive = row.key === active.value;
        const isChosen = row.kind === 'step' && row.step === chosen;
        const isSeen = row.top + row.height >= seen.from && row.top <= seen.to;
        if (list.length > FEW_ROWS && !isSeen && !isActive && !isChosen) return null;
        const key = `${row.key} ${isActive} ${isChosen}`;
        const isCritical = row.kind === 'step' && path.has(row.step);
        const known = nodes.get(key);
        if (known !== undefined) return known;
        const node = (
          <Row
            key={row.key}
            row={row}
            label={rowLabel({ state: moment.state, times: moment.times, until: now, isCritical }, row)}
            shapes={tree === undefined ? [] : shapesOf(moment, row, { tree, axis, until: now, critical: path })}
            index={place + 1}
            count={list.length}
            left={left}
            width={axis.width}
            indent={narrow ? 6 + row.depth * 7 : 10 + row.depth * 14}
            isActive={isActive}
            isChosen={isChosen}
          />
        );
        nodes.set(key, node);
        return node;
      })}
    </div>
  );
}

/** Scrolls by the smallest distance that shows a row. */
function show(box: HTMLElement | null, key: string): void {
  box?.querySelector(`[id="${CSS.escape(rowId(key))}"]`)?.scrollIntoView({ block: 'nearest' });
}

function shapesOf(
  { state, times }: Moment,
  row: TimelineRow,
  view: Pick<PhaseShapesRequest, 'tree' | 'axis' | 'until' | 'critical'>,
): readonly RowShape[] {
  const request = { times, ...view, height: row.height };
  if (row.kind === 'phase') return phaseShapes(request, row.phase);
  if (row.kind === 'rest') return restShapes(request, row.steps);
  const step = state.steps.get(row.step);
  const own = times.steps.get(row.step);
  if (step === undefined || own === undefined) return [];
  const { axis, until: now, critical: path } = view;
  return stepShapes({ step, times: own, state, axis, until: now, isCritical: path.has(row.step) });
}
