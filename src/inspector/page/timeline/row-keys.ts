// The keys of the timeline: arrows move over its rows, open and close them; enter opens a phase or the drawer of a step.
import type { TimelineRow } from '../../../view/timeline/timeline-rows.ts';
import { active, openRow, turnRow } from './timeline-state.ts';

/** The rows of one page. */
const PAGE = 12;

export function moveFocus(event: KeyboardEvent, rows: readonly TimelineRow[]): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const here = Math.max(
    0,
    rows.findIndex(({ key }) => key === active.value),
  );
  const row = rows[here];
  if (row === undefined) return;
  const to = placeAfter(event.key, rows, here);
  if (to !== undefined) active.value = rows[Math.max(0, Math.min(rows.length - 1, to))]?.key;
  else if (event.key === 'Enter') openRow(row);
  else if (event.key === 'ArrowRight' && row.kind !== 'step' && !row.isOpen) turnRow(row);
  else if (event.key === 'ArrowLeft' && row.kind !== 'step' && row.isOpen) turnRow(row);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The row to which a key moves the focus; undefined for keys that do something else. */
function placeAfter(key: string, rows: readonly TimelineRow[], here: number): number | undefined {
  const row = rows[here];
  switch (key) {
    case 'ArrowDown':
      return here + 1;
    case 'ArrowUp':
      return here - 1;
    case 'PageDown':
      return here + PAGE;
    case 'PageUp':
      return here - PAGE;
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'ArrowRight':
      return row !== undefined && row.kind !== 'step' && row.isOpen ? here + 1 : undefined;
    case 'ArrowLeft': {
      if (row === undefined || (row.kind !== 'step' && row.isOpen)) return undefined;
      const around = rows.slice(0, here).findLastIndex(({ depth }) => depth < row.depth);
      return around < 0 ? undefined : around;
    }
    default:
      return undefined;
  }
}
