// Sources: the results that a packet is made from, weighed, with all that may never be shown taken out.
import type { PacketRequest, StepRecord } from './request.ts';
import { showable } from './shrink.ts';
import { type Weighed, type Weight, weigh, weightOf } from './weigh.ts';

export interface Source {
  readonly record: StepRecord;
  /** Of the result, also of what may not be shown. */
  readonly weight: Weight;
  /** All of the result that may be shown. */
  readonly whole: Weighed;
  /** Of what stands before the result: a comma, its name, a colon. */
  readonly frame: Weight;
  /** Of the nearest phase. */
  readonly near: boolean;
}

/** One for each step that left a value, nearest first. */
export function sourcesOf({ phases, countTokens }: Pick<PacketRequest, 'phases' | 'countTokens'>): readonly Source[] {
  return phases.flatMap(({ steps }, distance) =>
    steps.flatMap((record): Source[] => {
      const value = showable(record);
      if (value === undefined || record.result === undefined) return [];
      const weight = weigh(record.result, countTokens);
      const whole = value === record.result ? weight : weigh(value, countTokens);
      const frame = weightOf(`,${JSON.stringify(record.id)}:`, countTokens);
      return [{ record, weight, whole, frame, near: distance === 0 }];
    }),
  );
}
