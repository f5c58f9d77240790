// Choices: how much of each result a packet shows.
import type { ResultSource } from '../source.ts';
import type { WeighedValue } from '../weight.ts';

/** `outlined` shows the kind and the size of a result only. */
export type Visibility = 'included' | 'shrunk' | 'outlined' | 'left out';

/** The part of a result that a packet shows; `part` is absent when the result is left out. */
export interface Choice {
  readonly source: ResultSource;
  readonly shown: Visibility;
  readonly part?: WeighedValue;
}

/** A result with elided fields counts as `shrunk`, even when all its other fields are shown. */
export function wholeChoice(source: ResultSource): Choice {
  const { record, whole } = source;
  return { source, shown: whole.value === record.result ? 'included' : 'shrunk', part: whole };
}

export function leftOut(source: ResultSource): Choice {
  return { source, shown: 'left out' };
}

export function isPartial({ shown }: Choice): boolean {
  return shown !== 'included';
}
