// Size tiers: an upper limit for the shown part of a result, whatever the allowance; older phases get an outline.
import { fixed, noLessThan, type View } from '../shrink/view.ts';
import { resultView } from '../shrink.ts';
import type { ResultSource } from '../source.ts';

/** Results below this many bytes are shown verbatim or not at all. */
const SMALL = 1_000;

interface Tier {
  /** For results with fewer bytes than this. */
  readonly below: number;
  /** The most bytes shown, not counting fields that must be kept. */
  readonly most: number;
  /** The number of list items shown. */
  readonly sample: number;
}

const tiers: readonly Tier[] = [
  { below: 10_000, most: 10_000, sample: 24 },
  { below: 100_000, most: 16_000, sample: 16 },
  { below: Number.POSITIVE_INFINITY, most: 4_000, sample: 8 },
];

export function tieredView(source: ResultSource): View {
  const { bytes } = source.weight;
  if (bytes < SMALL) return fixed(source.whole.value, source.whole.bytes);
  const tier = tiers.find(({ below }) => bytes < below);
  return cappedView(source, tier?.most ?? 0, tier?.sample);
}

/** The view of an older phase's result: at least an outline's worth of bytes, or nothing. */
export function distantView(source: ResultSource): View {
  return noLessThan(tieredView(source), OUTLINE.most);
}

/** The view of a need: a result that was asked for by name has no tier. */
export function roomyView({ record, whole, weight }: ResultSource): View {
  return weight.bytes < SMALL ? fixed(whole.value, whole.bytes) : resultView(record, whole.value);
}

/** The outline of an older phase's result; `most` is in bytes. */
const OUTLINE = { most: 160, sample: 1 };

/** A view of one size, so that an older result reads the same in every packet (and provider caches hit). */
export function outlineView(source: ResultSource): View {
  const view = cappedView(source, OUTLINE.most, OUTLINE.sample);
  return { ...view, least: view.most };
}

function cappedView({ record, whole }: ResultSource, bytes: number, sample: number | undefined): View {
  const view = resultView(record, whole.value, sample);
  const most = Math.min(view.most, Math.max(bytes, view.least, view.kept));
  return { ...view, most, show: (room) => view.show(Math.min(room, most)) };
}
