// Sources: the results that a packet is made from, weighed, with all that may never be shown taken out.
import type { Json } from '../base/json.ts';
import type { PacketRequest, StepRecord } from './request.ts';
import { showable } from './shrink.ts';
import type { CountTokens } from './tokens.ts';
import { type Weighed, type Weight, weigh, weightOf } from './weigh.ts';

/** Where in a packet a source is shown. */
interface Standing {
  /** Its key there: the step's id, or what a need calls it. */
  readonly name: string;
  readonly section: 'results' | 'needs';
  /** How many phases lie between: 0 for the nearest one, and for needs. */
  readonly distance: number;
}

export interface Source extends Standing {
  /** Its result is what is to be shown: for a need, the part that it names. */
  readonly record: StepRecord;
  /** Of the result, also of what may not be shown. */
  readonly weight: Weight;
  /** All of the result that may be shown. */
  readonly whole: Weighed;
  /** Of what stands before the result: a comma, its name, a colon. */
  readonly frame: Weight;
}

/** One for each step that left a value, nearest first. */
export function sourcesOf({ phases, countTokens }: Pick<PacketRequest, 'phases' | 'countTokens'>): readonly Source[] {
  return phases.flatMap(({ steps }, distance) =>
    steps.flatMap((record): Source[] => {
      const shown = showable(record);
      if (shown === undefined) return [];
      return [sourceOf(record, shown, { name: record.id, section: 'results', distance }, countTokens)];
    }),
  );
}

/** `shown`: all of the record's result that may be. */
export function sourceOf(record: StepRecord, shown: Json, standing: Standing, countTokens: CountTokens): Source {
  const { result = null } = record;
  const weight = weigh(result, countTokens);
  const whole = shown === result ? weight : weigh(shown, countTokens);
  const frame = weightOf(`,${JSON.stringify(standing.name)}:`, countTokens);
  return { ...standing, record, weight, whole, frame };
}
