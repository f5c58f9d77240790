// The bound of a template as a table: the use if nothing fails, the worst case, and its limit.

import { defined } from '../../base/json.ts';
import { shownFigure, shownRow } from '../../budget/display-figures.ts';
import { limitText } from '../../budget/limit-text.ts';
import type { BoundRow, UseRange } from '../../engine/bound/bound.ts';
import { type Line, span } from '../line.ts';
import { table } from '../table.ts';

export function boundTable(rows: readonly BoundRow[]): readonly Line[] {
  return table(
    [
      { title: 'resource' },
      { title: 'if nothing fails', align: 'right' },
      { title: 'at worst', align: 'right' },
      { title: 'held by' },
      { title: '' },
    ],
    rows.map(({ resource, ifNothingFails, bound, binds, note = '' }) => [
      span(resource),
      span(rangeText(resource, ifNothingFails)),
      bound === undefined ? span('unbounded', 'warn') : span(limitText(resource, bound)),
      span(binds),
      span(note, 'dim'),
    ]),
  );
}

/** `7` if the template alone decides it, else `2 to 57`, `up to 10m`, `1 or more`. */
function rangeText(resource: string, { least, most }: UseRange): string {
  const text = (value: number): string => limitText(resource, value);
  if (most === undefined) return least === 0 ? 'not known' : `${text(least)} or more`;
  if (least === most) return text(most);
  return least === 0 ? `up to ${text(most)}` : `${text(least)} to ${text(most)}`;
}

/** For machines: money in dollars, time in seconds. */
export function shownBound(rows: readonly BoundRow[]): readonly BoundRow[] {
  return rows.map((row) => {
    const { least, most } = row.ifNothingFails;
    const range: UseRange = {
      least: shownFigure(row.resource, least),
      ...defined({ most: most === undefined ? undefined : shownFigure(row.resource, most) }),
    };
    return { ...shownRow(row, ['bound']), ifNothingFails: range };
  });
}
