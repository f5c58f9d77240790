// Puts every result on the shelf of its distance, with the view that the strategy gives to that distance.
import type { Needs } from '../needs/needs.ts';
import { distantView, tieredView } from '../shelf/tier.ts';
import type { View } from '../shrink/view.ts';
import type { Source } from '../source.ts';
import type { Stock } from './sections.ts';

/** Leaves out results that are shown as needs; `olderView` makes the views of older phases. */
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
