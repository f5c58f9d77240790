// How much of a result any allowance shows: the larger it is, the smaller the part; of older phases no more than an outline.
import { fixed, noLessThan, type View } from '../shrink/view.ts';
import { resultView } from '../shrink.ts';
import type { Source } from '../source.ts';

/** Results below this many bytes are shown verbatim or not at all. */
const SMALL = 1_000;

interface Tier {
  /** Bytes. */
  readonly below: number;
  /** Bytes shown at most, what must be kept apart. */
  readonly most: number;
  /** Items of a list. */
  readonly sample: number;
}

const tiers: readonly Tier[] = [
  { below: 10_000, most: 10_000, sample: 24 },
  { below: 100_000, most: 16_000, sample: 16 },
  { below: Number.POSITIVE_INFINITY, most: 4_000, sample: 8 },
];

export function tieredView(source: Source): View {
  const { bytes } = source.weight;
  if (bytes < SMALL) return fixed(source.whole.value, source.whole.bytes);
  const tier = tiers.find(({ below }) => bytes < below);
  return cappedView(source, tier?.most ?? 0, tier?.sample);
}

/** Of an older phase: enough to say something, or nothing. */
export function distantView(source: Source): View {
  return noLessThan(tieredView(source), OUTLINE.most);
}

/** Of what somebody asked for by name: no tier holds it back. */
export function roomyView({ record, whole, weight }: Source): View {
  return weight.bytes < SMALL ? fixed(whole.value, whole.bytes) : resultView(record, whole.value);
}

/** Bytes. */
const OUTLINE = { most: 160, sample: 1 };

/** One size, whatever the room: an older result reads the same in every packet that has it. */
export function outlineView(source: Source): View {
  const view = cappedView(source, OUTLINE.most, OUTLINE.sample);
  return { ...view, least: view.most };
}

function cappedView({ record, whole }: Source, bytes: number, sample: number | undefined): View {
  const view = resultView(record, whole.value, sample);
  const most = Math.min(view.most, Math.max(bytes, view.least, view.kept));
  return { ...view, most, show: (room) => view.show(Math.min(room, most)) };
}
