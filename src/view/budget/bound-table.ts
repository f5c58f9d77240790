// The bound of a template as a table: the most of each resource that any run can use, and what holds it there.

import { limitText } from '../../budget/limit-text.ts';
import type { BoundRow } from '../../engine/bound.ts';
import { type Line, span } from '../line.ts';
import { table } from '../table.ts';

export function boundTable(rows: readonly BoundRow[]): readonly Line[] {
  return table(
    [{ title: 'resource' }, { title: 'at most', align: 'right' }, { title: 'held by' }, { title: '' }],
    rows.map(({ resource, bound, binds, note = '' }) => [
      span(resource),
      bound === undefined ? span('unbounded', 'warn') : span(limitText(resource, bound)),
      span(binds),
      span(note, 'dim'),
    ]),
  );
}
