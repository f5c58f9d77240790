// The `x-` hints of a contract: how important each part of a value is when it must be shortened.
import { isJsonArray, type Json } from '../base/json.ts';
import type { Schema } from './schema.ts';

const summaries = ['count', 'range', 'top', 'distinct'] as const;
type SummaryHint = (typeof summaries)[number];

export interface Annotations {
  /** `x-keep: true`: shown whole while there is room. */
  readonly keep: boolean;
  /** `x-elide: true`: named, but not shown. */
  readonly elide: boolean;
  /** `x-sample: n`: at most n items of a list are shown. */
  readonly sample?: number;
  /** `x-summary`: the most telling figure. */
  readonly summary?: SummaryHint;
  /** `x-weight`, above 0: the share of room relative to siblings. */
  readonly weight: number;
  /** `x-sensitive: true`: needs permission before it enters a prompt. */
  readonly sensitive: boolean;
  /** `x-inferred: true`: guessed from a value instead of declared. */
  readonly inferred: boolean;
}

interface HintRule {
  readonly expected: string;
  readonly fits: (value: Json) => boolean;
}

const flag: HintRule = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };

/** The values that each hint may have. Other `x-` keywords belong to somebody else. */
export const annotationRules: Readonly<Record<string, HintRule>> = {
  'x-keep': flag,
  'x-elide': flag,
  'x-sample': {
    expected: 'a whole number of items, 0 or more',
    fits: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
  },
  'x-summary': { expected: summaries.join(', '), fits: isSummary },
  'x-weight': { expected: 'a number above 0', fits: (value) => typeof value === 'number' && value > 0 },
  'x-sensitive': flag,
  'x-inferred': flag,
};

function isSummary(value: Json | undefined): value is SummaryHint {
  return summaries.some((each) => each === value);
}

/** Combines the hints of several schemas; the first one with a hint wins. Invalid hints are ignored. */
export function annotationsOf(schemas: Schema | readonly Schema[]): Annotations {
  const parts = isJsonArray(schemas) ? schemas : [schemas];
  const hint = (name: string): Json | undefined =>
    parts.map((part) => part[name]).find((value) => value !== undefined && annotationRules[name]?.fits(value));
  const sample = hint('x-sample');
  const summary = hint('x-summary');
  const weight = hint('x-weight');
  return {
    keep: hint('x-keep') === true,
    elide: hint('x-elide') === true,
    ...(typeof sample === 'number' ? { sample } : {}),
    ...(isSummary(summary) ? { summary } : {}),
    weight: typeof weight === 'number' ? weight : 1,
    sensitive: hint('x-sensitive') === true,
    inferred: hint('x-inferred') === true,
  };
}
