// Sources: the results that a packet is made from, measured, with all that may never be shown taken out.
import type { Json } from '../base/json.ts';
import type { PacketRequest, StepRecord } from './request.ts';
import { showable } from './shrink.ts';
import { bytesOf } from './tokens.ts';

export interface Source {
  readonly record: StepRecord;
  /** All of the result that may be shown. */
  readonly value: Json;
  /** The result's JSON, also what may not be shown. */
  readonly text: string;
  readonly bytes: number;
  /** Of the nearest phase. */
  readonly near: boolean;
}

/** One for each step that left a value, nearest first. */
export function sourcesOf({ phases }: PacketRequest): readonly Source[] {
  return phases.flatMap(({ steps }, distance) =>
    steps.flatMap((record): Source[] => {
      const value = showable(record);
      if (value === undefined || record.result === undefined) return [];
      const text = JSON.stringify(record.result);
      return [{ record, value, text, bytes: bytesOf(text), near: distance === 0 }];
    }),
  );
}
