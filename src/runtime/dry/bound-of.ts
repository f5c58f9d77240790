// The bound of a template for callers of the library and for --json: money in dollars, time in seconds.
import { type BoundRow, boundOf as boundInside } from '../../engine/bound/bound.ts';
import type { Template } from '../../template/template.ts';
import { shownBound } from '../../view/budget/bound-table.ts';

/** The rows of `explain`: `cost_usd` in dollars, `time` in seconds, and counts. */
export function boundOf(template: Template): readonly BoundRow[] {
  return shownBound(boundInside(template));
}
