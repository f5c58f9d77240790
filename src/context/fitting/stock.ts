// What a strategy shows: every result on the shelf of its distance, each with the view that it gets there.
import type { Needs } from '../needs/needs.ts';
import type { View } from '../shrink/view.ts';
import type { Source } from '../source.ts';
import type { Stock } from './sections.ts';
import { tieredView } from './tier.ts';

/** All results that are not shown as needs; `olderView`: how those of older phases are. */
export function stocked(
  all: readonly Source[],
  { ids }: Needs,
  olderView: (source: Source) => View = tieredView,
): Stock {
  const shown = all.filter(({ record }) => !ids.has(record.id));
  const near = shown.filter((source) => source.near).map((source) => ({ source, view: tieredView(source) }));
  const older = shown.filter((source) => !source.near).map((source) => ({ source, view: olderView(source) }));
  return { all, near, older };
}
