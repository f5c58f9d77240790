// Size tiers: the larger a result, the smaller the part of it that any allowance shows.

import { fixed, type View } from '../shrink/view.ts';
import { resultView } from '../shrink.ts';
import type { Source } from '../source.ts';

/** Results below this many bytes are shown verbatim or not at all. */
export const SMALL = 1_000;

interface Tier {
  /** Bytes. */
  readonly below: number;
  /** Bytes shown at most, what must be kept apart. */
  readonly most: number;
  /** Items of a list. */
  readonly sample: number;
}

const tiers: readonly Tier[] = [
  { below: 10_000, most: 10_000, sample: 8 },
  { below: 100_000, most: 8_000, sample: 5 },
  { below: Number.POSITIVE_INFINITY, most: 2_000, sample: 3 },
];

export function tieredView({ record, whole, weight: { bytes } }: Source): View {
  if (bytes < SMALL) return fixed(whole.value, whole.bytes);
  const tier = tiers.find(({ below }) => bytes < below);
  const view = resultView(record, whole.value, tier?.sample);
  const most = Math.min(view.most, Math.max(tier?.most ?? 0, view.kept));
  return { ...view, most, show: (room) => view.show(Math.min(room, most)) };
}
