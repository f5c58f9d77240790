// Puts every result on the shelf of its distance, with the view that the strategy gives to that distance.
import type { Needs } from '../needs/needs.ts';
import type { SourceView } from '../shelf/shelf.ts';
import { distantView, tieredView } from '../shelf/tier.ts';
import type { View } from '../shrink/view.ts';
import type { ResultSource } from '../source.ts';

/** The results on the shelves; a source of `all` that is on no shelf appears in the index only. */
export interface PacketResults {
  readonly all: readonly ResultSource[];
  readonly near: readonly SourceView[];
  readonly older: readonly SourceView[];
}

/** Leaves out results that are shown as needs; `olderView` makes the views of older phases. */
export function resultsByDistance(
  all: readonly ResultSource[],
  { ids }: Needs,
  olderView: (source: ResultSource) => View = distantView,
): PacketResults {
  const shown = all.filter(({ record }) => !ids.has(record.id));
  const isNear = ({ distance }: ResultSource) => distance === 0;
  const near = shown.filter(isNear).map((source) => ({ source, view: tieredView(source) }));
  const older = shown.filter((source) => !isNear(source)).map((source) => ({ source, view: olderView(source) }));
  return { all, near, older };
}
