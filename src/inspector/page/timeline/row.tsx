// One row of the timeline: its label, and its shapes over the time.
import type { RowLabel } from '../../../view/timeline/row-label.ts';
import type { RowShape } from '../../../view/timeline/shapes.ts';
import type { TimelineRow } from '../../../view/timeline/timeline-rows.ts';
import { Shape } from './shape.tsx';

interface RowProps {
  readonly row: TimelineRow;
  readonly label: RowLabel;
  readonly shapes: readonly RowShape[];
  /** Counts from 1. */
  readonly index: number;
  readonly count: number;
  /** The widths of the label and of the plot in pixels. */
  readonly left: number;
  readonly width: number;
  readonly indent: number;
  readonly isActive: boolean;
  readonly isChosen: boolean;
}

export function rowId(key: string): string {
  return `row ${key}`.replaceAll(' ', '_');
}

export function Row({ row, label, shapes, index, count, left, width, indent, isActive, isChosen }: RowProps) {
  const isOpen = row.kind === 'step' ? undefined : row.isOpen;
  const depth = row.depth === 0 ? '' : row.kind === 'phase' ? ' nested' : ' inside';
  return (
    <div
      id={rowId(row.key)}
      data-row={row.key}
      role="row"
      tabIndex={-1}
      aria-level={row.depth + 1}
      aria-setsize={count}
      aria-posinset={index}
      aria-expanded={isOpen}
      aria-selected={isChosen}
      aria-label={label.says}
      title={label.says}
      class={`time-row ${row.kind}${depth}${isActive ? ' active' : ''}${isChosen ? ' chosen' : ''}`}
      style={{ top: `${row.top}px`, height: `${row.height}px` }}
    >
      <span class="row-label" role="rowheader" style={{ width: `${left - 8}px`, paddingLeft: `${indent}px` }}>
        {isOpen !== undefined && <i class="turn">{isOpen ? '▾' : '▸'}</i>}
        {label.glyph !== '' && <b class={`glyph status-text-${label.status ?? 'none'}`}>{label.glyph}</b>}
        <span class={`row-name${label.status === 'failed' && row.kind === 'step' ? ' text-bad' : ''}`}>
          {label.text}
        </span>
        {label.done !== '' && <span class={`row-done${label.failed > 0 ? ' text-bad' : ''}`}>{label.done}</span>}
        {label.failed > 0 && <span class="row-failed text-bad">✗{label.failed}</span>}
      </span>
      <svg width={width} height={row.height} aria-hidden="true" style={{ left: `${left}px` }}>
        {shapes.map((shape, place) => (
          <Shape key={place} shape={shape} height={row.height} isStep={row.kind === 'step'} />
        ))}
      </svg>
    </div>
  );
}
