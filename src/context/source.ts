// Sources: the results that a packet is made from, with their sizes and without fields that may never be shown.
import type { Json } from '../base/json.ts';
import type { PacketRequest, StepRecord } from './request.ts';
import { showable } from './shrink.ts';
import type { CountTokens } from './tokens.ts';
import { type WeighedValue, type Weight, weigh, weightOf } from './weight.ts';

/** The place of a source in a packet. */
interface PacketPlace {
  /** Its key in the section: the step's id, or the name of a need. */
  readonly name: string;
  readonly section: 'results' | 'needs';
  /** The number of phases in between: 0 for the nearest phase, and for needs. */
  readonly distance: number;
}

export interface ResultSource extends PacketPlace {
  /** For a need with a path, `result` is the part at that path. */
  readonly record: StepRecord;
  /** The size of the result, including hidden fields. */
  readonly weight: Weight;
  /** The result without hidden fields. */
  readonly whole: WeighedValue;
  /** The size of the text before the result: comma, name, colon. */
  readonly frame: Weight;
}

/** One source for each step that left a value, nearest first. */
export function sourcesOf({
  phases,
  countTokens,
}: Pick<PacketRequest, 'phases' | 'countTokens'>): readonly ResultSource[] {
  return phases.flatMap(({ steps }, distance) =>
    steps.flatMap((record): ResultSource[] => {
      const shown = showable(record);
      if (shown === undefined) return [];
      return [sourceOf(record, shown, { name: record.id, section: 'results', distance }, countTokens)];
    }),
  );
}

/** `shown` is the record's result without hidden fields. */
export function sourceOf(
  record: StepRecord,
  shown: Json,
  standing: PacketPlace,
  countTokens: CountTokens,
): ResultSource {
  const { result = null } = record;
  const weight = weigh(result, countTokens);
  const whole = shown === result ? weight : weigh(shown, countTokens);
  const frame = weightOf(`,${JSON.stringify(standing.name)}:`, countTokens);
  return { ...standing, record, weight, whole, frame };
}
