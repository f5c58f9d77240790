// The part of a run's report that no later version may change: names, states, causes and results, but no times and no wording.
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

/** The reports from the version that wrote a store, and the commands that continued its runs. */
export interface Recorded {
  readonly shown: Readonly<Record<string, Shown>>;
  readonly continued: readonly { readonly words: readonly string[]; readonly code: number; readonly shown: Shown }[];
}

/**
 * Reads the answer of `reconverge show RUN --json`. When the first store was recorded `failed` and `tolerated` were one
 * list `causes`, and tolerated steps were counted among the skipped ones.
 */
export function shownIn(answer: string): Shown {
  const { template, status, partial, steps, failed, tolerated, gates, output } = JSON.parse(answer) as Answer;
  return inOrder({
    ...{ template, status, partial, steps: withToleratedAsSkipped(steps) },
    causes: [
      ...failed.map(({ step, code }) => ({ step, code, tolerated: false })),
      ...tolerated.map(({ step, code }) => ({ step, code, tolerated: true })),
    ],
    gates: gates.map(({ gate, kind, step }) => ({ gate, kind, step })),
    output,
  });
}

function withToleratedAsSkipped({ tolerated = 0, ...steps }: Shown['steps']): Shown['steps'] {
  return tolerated === 0 ? steps : { ...steps, skipped: (steps.skipped ?? 0) + tolerated };
}

/** Sorts the causes by step, because the two lists of today do not have the order of the former single list. */
export function inOrder(shown: Shown): Shown {
  return { ...shown, causes: shown.causes.toSorted((a, b) => (a.step < b.step ? -1 : 1)) };
}

interface Answer extends Omit<Shown, 'causes'> {
  readonly failed: readonly { readonly step: string; readonly code: string }[];
  readonly tolerated: readonly { readonly step: string; readonly code: string }[];
}
