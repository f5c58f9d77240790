// What a strategy shows: every result on the shelf of its distance, each with the view that it gets there.
import type { Needs } from '../needs/needs.ts';
import { distantView, tieredView } from '../shelf/tier.ts';
import type { View } from '../shrink/view.ts';
import type { Source } from '../source.ts';
import type { Stock } from './sections.ts';

/** All results that are not shown as needs; `olderView`: how those of older phases are. */
export function stocked(
  all: readonly Source[],
  { ids }: Needs,
  olderView: (source: Source) => View = distantView,
): Stock {
  const shown = all.filter(({ record }) => !ids.has(record.id));
  const isNear = ({ distance }: Source) => distance === 0;
  const near = shown.filter(isNear).map((source) => ({ source, view: tieredView(source) }));
  const older = shown.filter((source) => !isNear(source)).map((source) => ({ source, view: olderView(source) }));
  return { all, near, older };
}
