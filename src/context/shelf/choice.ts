// Choices: how much of each result is shown.
import type { Source } from '../source.ts';
import type { Weighed } from '../weigh.ts';

/** `outlined`: only what it is and how much of it there is. */
export type Shown = 'included' | 'shrunk' | 'outlined' | 'left out';

/** What is shown of a result; no part of it when it is left out. */
export interface Choice {
  readonly source: Source;
  readonly shown: Shown;
  readonly part?: Weighed;
}

/** A result of which something may never be shown is shrunk, also when all the rest is there. */
export function wholeChoice(source: Source): Choice {
  const { record, whole } = source;
  return { source, shown: whole.value === record.result ? 'included' : 'shrunk', part: whole };
}

export function leftOut(source: Source): Choice {
  return { source, shown: 'left out' };
}

export function isPartial({ shown }: Choice): boolean {
  return shown !== 'included';
}
