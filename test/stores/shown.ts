// The part of a run's report that every later version must show alike: names, states, causes and results, but no times and no wording.
import type { Json } from '../../src/base/json.ts';

export interface Shown {
  readonly template: string;
  readonly status: string;
  readonly partial: boolean;
  readonly steps: Readonly<Record<string, number>>;
  readonly causes: readonly { readonly step: string; readonly code: string; readonly tolerated: boolean }[];
  readonly gates: readonly { readonly gate: string; readonly kind: string; readonly step: string }[];
  readonly output: Json;
}

/** A store as it was shown by the version that wrote it, and the commands that continued its runs. */
export interface Recorded {
  readonly shown: Readonly<Record<string, Shown>>;
  readonly continued: readonly { readonly words: readonly string[]; readonly code: number; readonly shown: Shown }[];
}

/** Reads the answer of `reconverge show RUN --json`. */
export function shownIn(answer: string): Shown {
  const { template, status, partial, steps, causes, gates, output } = JSON.parse(answer) as Shown;
  return {
    ...{ template, status, partial, steps },
    causes: causes.map(({ step, code, tolerated }) => ({ step, code, tolerated })),
    gates: gates.map(({ gate, kind, step }) => ({ gate, kind, step })),
    output,
  };
}
